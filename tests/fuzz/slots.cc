// Reads any bytes as a slot of asynchronous captures with its pieces, lengths
// and numbers included, and any ids in the ring.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include "backends/linux-async/deliver.h"
#include "backends/linux-async/ready.h"
#include "bpf/validate.h"

#include "fuzz.h"

namespace {

namespace bpf = stack9::bpf;

constexpr std::uint32_t slots = 4, pieces = 3;

// The arrays as the kernel lays them out.  Pages that no input changes stay as
// they are, so an execution costs no more than its own bytes.
struct arrays {
	std::vector<s9_async_slot>	slot{slots};
	std::vector<char>		piece = std::vector<char>(
	    std::size_t{pieces} * bpf::s9_piece_stride);
	bpf::slot_memory		memory;

	arrays()
	{
		memory.lie_at(slot.data(), slots, piece.data(), pieces);
	}
};

void
take_user(const arrays &a, const s9_async_slot &s, const stack9_thread &td)
{
	std::uintptr_t pcs[20];
	stack9::stack_record rec{};
	stack9::user_copy copy;
	rec.side = STACK9_USER;
	rec.pcs = pcs;
	rec.max = std::size(pcs);
	stack9::async_sides to{nullptr, &rec, copy};
	const int error = bpf::deliver_user(a.memory, s, td, to);
	if ((to.copied || to.walked) != (error == 0) ||
	    (to.copied && to.walked))
		fail("a stack in spite of an errno, or none, or two");
	if (copy.stack.bytes.size() > bpf::s9_most_of_stack)
		fail("more than a slot and its pieces hold");
	if (error == 0 && copy.stack.bytes.size() > s.h.user.bytes)
		fail("more than the thread copied");
	if (rec.depth > rec.max)
		fail("more frames than there is room for");
	if (rec.depth != 0 && !to.walked)
		fail("frames of a stack that nobody has unwound");
}

void
take_kernel(const s9_async_slot &s, const stack9_thread &td)
{
	std::uintptr_t pcs[20];
	stack9::stack_record rec{};
	rec.side = STACK9_KERNEL;
	rec.pcs = pcs;
	rec.max = std::size(pcs);
	stack9::kept_record submitted;
	if (!submitted.allocate(stack9::async_kernel_frames))
		return;
	stack9::lead unused;
	submitted.rec.error = bpf::validate_sleeper(s.h.k, td, submitted.rec,
	    unused);
	bpf::deliver_kernel(s, td, submitted, rec);
	if (rec.depth > rec.max)
		fail("more frames than there is room for");
}

// The bytes begin with a count of ids, and the ids.
std::vector<stack9_id>
ids_of(const std::uint8_t *&data, std::size_t &size)
{
	std::vector<stack9_id> ids(data[0] % 8);
	data++, size--;
	const std::size_t bytes = std::min(ids.size() * sizeof ids[0], size);
	if (bytes != 0)
		std::memcpy(ids.data(), data, bytes);
	data += bytes, size -= bytes;
	return ids;
}

// All that are listed are over, each of them once.
void
list(arrays &a, const std::vector<stack9_id> &ids)
{
	bpf::ready_list ready(a.memory);
	ready.open(-1);		// add() takes what its records would have
	for (const stack9_id id : ids)
		ready.add(id);
	std::uint32_t count = 0;
	while (const stack9_id id = ready.pop()) {
		const s9_phase p = a.memory.phase(bpf::slot_id(id));
		if (p != S9_DONE && p != S9_CANCELLED && p != S9_FORSAKEN)
			fail("a capture that is not over");
		if (++count >= slots)
			fail("more captures than there are slots");
	}
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	static arrays a;
	if (size < 1)
		return 0;
	const auto ids = ids_of(data, size);
	s9_async_slot &s = a.slot[1];
	std::memset(static_cast<void *>(&s.h), 0, sizeof s.h);
	std::memcpy(static_cast<void *>(&s), data, std::min(size, sizeof s));
	list(a, ids);
	const stack9_thread another{1, 1, 0};
	for (const stack9_thread &td : {bpf::thread_in(s), another}) {
		take_user(a, s, td);
		take_kernel(s, td);
	}
	const stack9_id id = a.memory.id_in(1);
	if (id == 0)
		return 0;
	a.memory.free_slot(bpf::slot_id(id));
	if (a.memory.id_in(1) != 0)
		fail("a slot that is not free");
	return 0;
}
