// Stops one thread once for a copy, and again to extend it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "copies.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <unistd.h>

#include "arch/cpu.h"
#include "core/seam/extend_copy.h"

#include "stopped_thread.h"
#include "target.h"

namespace stack9::tracing {
namespace {

// A thread that stops at all stops in less than a millisecond, or as soon as it
// gets a CPU.
constexpr std::uint64_t to_stop = 300 * millisecond;
constexpr std::uint64_t to_copy = 10 * millisecond;

constexpr std::size_t usual_copy = 16 << 10;

constexpr int tries = 4;
constexpr std::size_t first_other = 16 << 10;

// Stops one thread; the derived class says what is copied.
class one_work : public work {
public:
	one_work(pid_t tid, const source &s, arena &r) noexcept
	    : it(tid), from(s), memory(r) {}

	void
	run(tracer &self) noexcept override
	{
		it = stopped_thread(it.tid);
		memory.have_ready(usual_copy);
		const std::uint64_t before = now();
		it.seize_and_interrupt();
		if (it.error == 0)
			it.await(self, before + to_stop);
		if (it.error == 0)
			copy();
		it.release();
	}

	stopped_thread		 it;

protected:
	virtual void copy() noexcept { it.copy(from, memory); }
	~one_work() = default;

	const source	&from;
	arena		&memory;
};

// The pieces of a copy as they should become, and one that begins elsewhere.
using extents = std::array<extent, user_copy::piece_count + 1>;
using read_pieces = std::array<read_piece, user_copy::piece_count + 1>;

class first_work final : public one_work {
public:
	using one_work::one_work;
};

// Reads again what was copied before, and more.
class more_work final : public one_work {
public:
	more_work(pid_t tid, const source &s, arena &r,
	    const extents &what) noexcept
	    : one_work(tid, s, r), wanted(what) {}

	read_pieces	got{};

protected:
	void
	copy() noexcept override
	{
		it.at = step::copying;
		it.error = read_registers(it.tid, it.registers);
		for (std::size_t i = 0; it.error == 0 && i < got.size(); i++)
			if (wanted[i].size != 0)
				got[i] = read_into(memory, it.tid, from,
				    wanted[i]);
	}

private:
	const extents	wanted;
};

// Traces by a process, or by a thread where only an ancestor may.
int
trace(one_work &what, arena &memory, const target &who, stack_record &rec)
    noexcept
{
	run_end end = run_as_process(what, memory, to_stop + to_copy);
	const bool by_thread = end == run_end::never || (what.it.error ==
	    EPERM && what.it.at == step::seizing && target::ancestors_may());
	if (by_thread)
		end = run_as_thread(what);
	if (end == run_end::never)
		return say(rec, EAGAIN, STACK9_WHY_RESOURCE,
		    "neither a process nor a thread could be made to trace it");
	if (end == run_end::killed)
		return who.refuse_killed(what.it.at, rec);
	if (what.it.error != 0)
		return who.refuse(what.it.error, what.it.at, rec);
	return who.refuse_if_gone(rec);
}

int
open_target(target &who, const stack9_thread &td, source &from,
    stack_record &rec) noexcept
{
	if (const int error = who.open(td, rec); error != 0)
		return error;
	return who.open_memory(from, rec);
}

bool
holds_same(const copied_piece &before, const read_piece &now) noexcept
{
	const std::size_t size = before.bytes.size();
	return size == 0 || (now.at == before.at && now.size >= size &&
	    std::memcmp(now.bytes, before.bytes.data(), size) == 0);
}

bool
is_same(const more_work &now, const user_copy &before) noexcept
{
	user_copy registers;
	set_registers(now.it.registers, registers);
	const auto pieces = before.pieces();
	return registers.what == before.what &&
	    registers.known == before.known &&
	    registers.value == before.value &&
	    std::equal(pieces.begin(), pieces.end(), now.got.begin(),
	    [](const copied_piece *was, const read_piece &is) {
		return holds_same(*was, is);
	    });
}

extents
extents_with(user_copy &copy, std::uint64_t wanted) noexcept
{
	extents all{};
	extent *next = all.data();
	for (copied_piece *const p : copy.pieces())
		*next++ = {p->at, is_behind(*p, wanted) ?
		    piece_grown(*p, wanted).size : p->bytes.size(), false};
	const wanted_piece anew = piece_anew(piece_for(copy, wanted), wanted,
	    unwind::red_zone, first_other);
	*next = {anew.at, anew.size, false};
	return all;
}

fetched
copy_out(const read_pieces &from, std::uint64_t at, std::byte *to,
    std::size_t size) noexcept
{
	for (const read_piece &p : from)
		if (at - p.at < p.size) {
			const std::size_t n = std::min<std::size_t>(size,
			    p.size - (at - p.at));
			std::memcpy(to, p.bytes + (at - p.at), n);
			return {0, n, n == size};
		}
	return {0, 0, false};
}

// EAGAIN if the stack is not as it was copied.
int
copy_more_once(const target &who, const source &from, pid_t tid,
    user_copy &copy, std::uint64_t wanted) noexcept
{
	stack_record unused{};
	const extents all = extents_with(copy, wanted);
	std::size_t need = 1 << 20;
	for (const extent &e : all)
		need += e.size;
	arena memory(need, need);
	if (!memory.is_there())
		return ENOMEM;
	more_work what(tid, from, memory, all);
	if (const int error = trace(what, memory, who, unused); error != 0)
		return error;
	if (!is_same(what, copy))
		return EAGAIN;
	return fetch_more(copy, wanted, unwind::red_zone, first_other,
	    [&](std::uint64_t at, std::byte *to, std::size_t size) {
		return copy_out(what.got, at, to, size);
	});
}

} // namespace

int
deliver(const stopped_thread &it, user_copy &copy) noexcept
{
	set_registers(it.registers, copy);
	copy.stack.at = it.stack.at;
	copy.stack.more = it.stack.more;
	if (!copy.stack.bytes.resize(it.stack.size))
		return ENOMEM;
	if (it.stack.size != 0)
		std::memcpy(copy.stack.bytes.data(), it.stack.bytes,
		    it.stack.size);
	return 0;
}

int
copy_one(const stack9_thread &td, user_copy &copy, stack_record &rec) noexcept
{
	target who;
	source from;
	if (const int error = open_target(who, td, from, rec); error != 0)
		return error;
	arena memory(4 << 20, stack_most + (1 << 20));
	if (!memory.is_there())
		return say(rec, ENOMEM, STACK9_WHY_RESOURCE,
		    "no memory for a copy of the stack");
	first_work what(td.tid, from, memory);
	if (const int error = trace(what, memory, who, rec); error != 0)
		return error;
	rec.when_ns = what.it.when_ns;
	if (what.it.stack.size == 0)
		return say(rec, EAGAIN, STACK9_WHY_MEMORY, nullptr);
	return deliver(what.it, copy) == 0 ? 0 : say(rec, ENOMEM,
	    STACK9_WHY_RESOURCE, "no memory for a copy of the stack");
}

// The thread may still be on its way back into the call it was stopped in.
int
copy_more(const stack9_thread &td, user_copy &copy, std::uint64_t wanted)
    noexcept
{
	target who;
	source from;
	stack_record unused{};
	if (const int error = open_target(who, td, from, unused); error != 0)
		return error;
	int error = EAGAIN;
	for (int i = 0; i < tries && error == EAGAIN; i++)
		error = copy_more_once(who, from, td.tid, copy, wanted);
	return error;
}

} // namespace stack9::tracing
