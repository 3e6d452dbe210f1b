// Defines the route "libunwind".  It walks the calling thread's own stack by
// libunwind.  unw_backtrace() keeps a cache for each thread and costs a few
// nanoseconds a frame. unw_step() is used where more frames are wanted than the
// caller's stack should hold.
//
// libunwind 1.6 has limits of its own.  The first sight of a pc waits for the
// loader's lock, so a capture blocks while another thread holds that lock; a
// child forked meanwhile would block for ever (see forked_from_threads).  The
// first capture of a thread maps 256 KiB. A library that replaces another at
// the same address is walked by the old one's rules.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "routes.h"

#include <algorithm>
#include <array>
#include <atomic>

#include <pthread.h>
#include <sys/single_threaded.h>

#define	UNW_LOCAL_ONLY
#include <libunwind.h>

namespace stack9::self {
namespace {

constexpr std::uint32_t quick_max = 64;	// frames wanted of unw_backtrace()
constexpr std::uint32_t inside = 8;	// frames that may be the library's own
constexpr int step_max = 1 << 20;	// a cycle ends here at the latest

// The ways in which a walk ends.
enum class walk_end {
	root,		// the unwind information says so
	zero,		// the return address is 0
	no_table,	// nothing describes the last pc
	broken		// its description led nowhere
};

// Remembers return addresses that are roots.  A root is in a thread's first
// function; most programs have two or three. unw_backtrace() does not say why
// it stopped, and asking unw_step() costs as much as 50 captures.
class root_memo {
public:
	bool
	holds(std::uintptr_t pc) const noexcept
	{
		return of(pc).load(std::memory_order_relaxed) == pc;
	}

	void
	add(std::uintptr_t pc) noexcept
	{
		const_cast<std::atomic<std::uintptr_t> &>(of(pc)).store(pc,
		    std::memory_order_relaxed);
	}

private:
	const std::atomic<std::uintptr_t> &
	of(std::uintptr_t pc) const noexcept
	{
		return roots_[pc / 2 % roots_.size()];
	}

	std::array<std::atomic<std::uintptr_t>, 64> roots_{};
};

constinit root_memo roots;

constinit std::atomic<bool> threads_at_fork{false};
constinit std::atomic<bool> in_such_a_child{false};

void
before_fork() noexcept
{
	threads_at_fork = !__libc_single_threaded;
}

void
in_child() noexcept
{
	if (threads_at_fork)
		in_such_a_child = true;
}

const int at_fork = pthread_atfork(before_fork, nullptr, in_child);

// Returns true if this process was forked by a process with threads, or
// descends from one that was.  One of the threads may have held the loader's
// lock at the fork.  The lock then stays taken in the child for ever, and
// libunwind would wait for it with all signals blocked.
bool
forked_from_threads() noexcept
{
	return in_such_a_child.load(std::memory_order_relaxed);
}

walk_end
walk_end_of(unw_cursor_t &last, unw_cursor_t &end, int result) noexcept
{
	unw_proc_info_t info;
	unw_save_loc_t from;
	if (unw_get_proc_info(&last, &info) != 0)
		return walk_end::no_table;
	if (result < 0)
		return walk_end::broken;
	return unw_get_save_loc(&end, UNW_TDEP_IP, &from) == 0 &&
	    from.type == UNW_SLT_NONE ? walk_end::root : walk_end::zero;
}

// Calls take for each frame of the caller, innermost first, until take returns
// false.  The result is then root and means nothing.
template <typename F>
[[gnu::noinline]] walk_end
step_through(F take) noexcept
{
	unw_context_t here;
	unw_cursor_t cursor, last;
	unw_getcontext(&here);
	if (unw_init_local(&cursor, &here) != 0)
		return walk_end::broken;
	for (int i = 0; i < step_max; i++) {
		last = cursor;
		const int result = unw_step(&cursor);
		unw_word_t pc = 0;
		if (result > 0)
			unw_get_reg(&cursor, UNW_REG_IP, &pc);
		if (result <= 0 || pc == 0)
			return walk_end_of(last, cursor, result);
		if (!take(pc))
			return walk_end::root;
	}
	return walk_end::broken;
}

void
explain(walk_end how, stack_record &rec) noexcept
{
	if (how == walk_end::root || how == walk_end::zero)
		return;
	rec.why = STACK9_WHY_UNWIND;
	rec.reason = how == walk_end::no_table ?
	    "no unwind information covers the last frame" :
	    "the unwind information of the last frame leads nowhere";
}

void
explain_end(std::uintptr_t last_pc, stack_record &rec) noexcept
{
	if (roots.holds(last_pc))
		return;
	const walk_end how = step_through([](unw_word_t) { return true; });
	if (how == walk_end::root)
		roots.add(last_pc);
	explain(how, rec);
}

void
truncated(stack_record &rec, std::uint32_t dropped) noexcept
{
	rec.dropped = dropped;		// at least
	rec.why = STACK9_WHY_TRUNCATED;
}

// Drops the frames inside first_pc.  If first_pc is not among them, none is
// dropped.
template <typename I>
I
skip_library(I begin, I end, std::uintptr_t first_pc) noexcept
{
	const I first = std::find(begin, end,
	    reinterpret_cast<void *>(first_pc));
	return first_pc == 0 || first == end ? begin : first;
}

[[gnu::noinline]] void
save_quick(stack_record &rec, std::uintptr_t first_pc) noexcept
{
	void *raw[quick_max + inside + 1];
	const int capacity = static_cast<int>(rec.max + inside + 1);
	void **const end = raw + unw_backtrace(raw, capacity);
	void **const begin = skip_library(raw, end, first_pc);
	const auto frames = static_cast<std::uint32_t>(end - begin);
	rec.depth = std::min(frames, rec.max);
	std::transform(begin, begin + rec.depth, rec.pcs, [](void *pc) {
		return reinterpret_cast<std::uintptr_t>(pc);
	});
	if (frames > rec.max)
		truncated(rec, frames - rec.max);
	else if (end == raw + capacity)
		truncated(rec, 0);
	else if (frames > 0)
		explain_end(rec.pcs[frames - 1], rec);
}

[[gnu::noinline]] void
save_deep(stack_record &rec, std::uintptr_t first_pc) noexcept
{
	bool dropping = first_pc != 0;
	const walk_end how = step_through([&](unw_word_t pc) {
		if (dropping && pc == first_pc) {
			dropping = false;
			rec.depth = 0;
		}
		if (rec.depth == rec.max) {
			truncated(rec, 1);
			return false;
		}
		rec.pcs[rec.depth++] = pc;
		return true;
	});
	explain(how, rec);
}

} // namespace

verdict
libunwind_route::can() noexcept
{
	return {0, nullptr};
}

int
libunwind_route::save(stack_record &rec, const origin &from) noexcept
{
	const int saved = errno;
	rec.depth = 0;
	rec.dropped = 0;
	if (forked_from_threads())
		return own_stack.save(rec, from);
	if (rec.max <= quick_max)
		save_quick(rec, from.pc);
	else
		save_deep(rec, from.pc);
	errno = saved;
	return rec.depth > 0 ? 0 : refuse(rec, EOPNOTSUPP, STACK9_WHY_MACHINE,
	    "libunwind finds no frame at all");
}

constinit libunwind_route by_libunwind("libunwind",
    "the calling thread's own stack, by libunwind", 20);

} // namespace stack9::self
