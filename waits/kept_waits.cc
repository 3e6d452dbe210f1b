// Finds the waits of a core's threads: those for locks of the C library, whose
// owners are in its memory.  All of it is of one moment, so nothing is looked
// at twice.  Files, sockets and children were the kernel's, and it has gone on.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <vector>

#include <sys/syscall.h>

#include "core/arguments.h"
#include "context.h"

namespace stack9::waits {
namespace {

constexpr const char *with_the_kernel = "a core does not say what the kernel "
    "knew of it";

wait_facts
facts_of(const kept_process &p, const stack9_sample &s)
{
	wait_facts f{};
	f.thread = s.thread;
	f.call = -1;
	f.knows_call = p.call_of(s.thread.tid, f.call, f.args);
	f.state = f.call >= 0 ? 'S' : 'R';
	return f;
}

// A call that gdb has interrupted is to be restarted, and its arguments are
// still in the registers.
bool
is_futex(blocked &w, context &x)
{
	if (w.facts->call == SYS_futex)
		return true;
	if (w.facts->call != SYS_restart_syscall || !w.has_stack)
		return false;
	switch (x.functions.of(*w.sample->user, w.pid())) {
	case lock_function::none:
	case lock_function::sleep:
	case lock_function::poll:
		return false;
	default:
		w.restarted = SYS_futex;
		return true;
	}
}

void
find_kept_wait(blocked &w, context &x)
{
	if (!w.facts->knows_call) {
		w.error = EOPNOTSUPP;
		return w.is(STACK9_WAIT_UNKNOWN, "the core does not say which "
		    "system call it was in");
	}
	if (w.facts->call < 0)
		return w.is(STACK9_WAIT_NONE);
	if (is_futex(w, x)) {
		find_futex(w, x);
		w.left_ns = 0;
		if (w.address != 0 && w.sample->user != nullptr)
			w.place = x.where.of(w.sample->user->space, w.address);
		w.flags &= ~STACK9_WAIT_CHANGING;
		return;
	}
	switch (w.facts->call) {
	case SYS_kill:	// its own signal has ended it
	case SYS_tkill:
	case SYS_tgkill:
		return w.is(STACK9_WAIT_NONE);
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
		return w.is(STACK9_WAIT_SLEEP);
#ifdef SYS_pause
	case SYS_pause:
#endif
	case SYS_rt_sigsuspend:
	case SYS_rt_sigtimedwait:
		return w.is(STACK9_WAIT_SIGNAL);
	}
	w.is(STACK9_WAIT_SYSCALL, with_the_kernel);
}

} // namespace

kept_process *
kept_of(const stack9_sample *const *samples, std::uint32_t count) noexcept
{
	const std::uint64_t mark = samples[0]->thread.start;
	return std::all_of(samples, samples + count,
	    [mark](const stack9_sample *s) {
		    return s->thread.start == mark;
	    }) ? kept_process_of(mark) : nullptr;
}

int
find_kept(const stack9_sample *const *samples, std::uint32_t count,
    stack9_wait_fn *fn, void *arg)
{
	kept_process &p = *kept_of(samples, count);
	context x;
	std::vector<wait_facts> all(count);
	for (std::uint32_t i = 0; i < count; i++)
		all[i] = facts_of(p, *samples[i]);
	x.people.use(p, samples[0]->thread);
	x.words.use(p);
	x.pointers.use(p);
	x.functions.use(p);
	for (std::uint32_t i = 0; i < count; i++) {
		blocked w;
		w.sample = samples[i];
		w.facts = &all[i];
		w.has_stack = w.sample->user != nullptr &&
		    w.sample->user->depth != 0;
		find_kept_wait(w, x);
		const stack9_wait reported = made_of(w);
		if (fn(arg, &reported) != 0)
			return ECANCELED;
	}
	return 0;
}

} // namespace stack9::waits
