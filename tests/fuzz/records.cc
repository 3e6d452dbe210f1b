// Reads any bytes as records of the kernel's ring and as samples of BPF
// programs.  Only the lengths in them are true.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>
#include <vector>

#include "backends/linux-events/watch/copied_side.h"
#include "backends/linux-events/watch/sides.h"
#include "backends/linux-events/watch/stack_parts.h"
#include "bpf/validate.h"
#include "core/seam/record.h"

#include "fuzz.h"

namespace {

namespace events = stack9::events;

// The record with what follows it, aligned as in the ring.
std::vector<std::uint64_t>
aligned(const std::uint8_t *data, std::size_t size, std::size_t least)
{
	std::vector<std::uint64_t> words((std::max(size, least) + 7) / 8);
	std::memcpy(words.data(), data, size);
	return words;
}

void
ring_record(const std::uint8_t *data, std::size_t size, bool part)
{
	static events::stack_parts parts;
	static events::sides sides({16, 16, true});
	static events::copied_side copied(16);
	static events::processes nobody;
	auto words = aligned(data, size, sizeof(s9_event_copy));
	auto &c = *reinterpret_cast<s9_event_copy *>(words.data());
	const std::size_t rest = words.size() * 8 - sizeof c;
	c.user.bytes = static_cast<__u32>(std::min<std::size_t>(c.user.bytes,
	    rest));
	c.head.scratch &= 3;
	c.head.when_ns &= 3;
	if (part) {
		parts.add(c);
		return;
	}
	stack9::user_copy to;
	if (parts.join(c, to) && c.head.missing == 0 &&
	    to.stack.bytes.size() < c.user.bytes)
		fail("less than the record has");
	copied.take(c, parts, nobody, nullptr);
	if (copied.record().depth > 16)
		fail("more frames than there is room for");
	const std::size_t room = (words.size() * 8 - sizeof(s9_stacks)) / 8;
	auto &s = *reinterpret_cast<s9_stacks *>(words.data());
	s.kernel = static_cast<__u16>(std::min<std::size_t>(s.kernel, room));
	s.user = static_cast<__u16>(std::min<std::size_t>(s.user,
	    room - s.kernel));
	const auto *const pcs = reinterpret_cast<const __u64 *>(&s + 1);
	sides.set_kernel(s, pcs);
	if (sides.kernel().depth > 16)
		fail("more frames than there is room for");
	sides.set_user(s, pcs, nullptr);
	if (sides.user().depth > 16)
		fail("more frames than there is room for");
}

void
sample(const std::uint8_t *data, std::size_t size)
{
	auto words = aligned(data, size, sizeof(s9_record));
	auto &seen = *reinterpret_cast<s9_record *>(words.data());
	seen.bytes = std::min<std::int32_t>(seen.bytes, S9_FRAMES * 8);
	std::uintptr_t pcs[20];
	stack9::stack_record rec{};
	rec.side = STACK9_KERNEL;
	rec.pcs = pcs;
	rec.max = 20;
	stack9::lead lead{};
	const stack9_thread td{seen.tid, seen.pid, 0};
	const int error = stack9::bpf::validate_sleeper(seen, td, rec, lead);
	if ((error == 0) != (rec.depth > 0) || rec.depth > 20)
		fail("a stack that is none");
	s9_record copy;
	stack9::bpf::copy_sample(seen, copy);
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	if (size < 1)
		return 0;
	const std::uint8_t kind = data[0] % 3;
	if (kind == 2)
		sample(data + 1, size - 1);
	else
		ring_record(data + 1, size - 1, kind == 1);
	return 0;
}
