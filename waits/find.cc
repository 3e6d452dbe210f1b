// Chooses the finder of a wait by the thread's state and system call.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>

#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>

#include "arch/kernel_registers.h"
#include "context.h"

namespace stack9::waits {
namespace {

using finder = void(blocked &, context &);

void
find_signal(blocked &w, context &x)
{
	w.is(STACK9_WAIT_SIGNAL);
	if (w.facts->call == SYS_rt_sigtimedwait && w.arg(2) != 0)
		note_time(w, x, w.arg(2), 0, false);
}

void
find_io_uring(blocked &w, context &)
{
	w.is(STACK9_WAIT_IO_URING);
	w.fd = static_cast<int>(w.arg(0));
}

void
find_fcntl(blocked &w, context &x)
{
	if (w.arg(1) == F_SETLKW || w.arg(1) == F_OFD_SETLKW)
		find_file_lock(w, x);
	else
		w.is(STACK9_WAIT_SYSCALL);
}

void
find_clone(blocked &w, context &x)
{
	std::uint64_t flags = w.arg(0);
	if (w.facts->call == SYS_clone3 &&
	    !x.words.read(w.pid(), w.arg(0), flags))
		return w.is(STACK9_WAIT_SYSCALL);
	if ((flags & CLONE_VFORK) != 0)
		find_vfork(w, x);
	else
		w.is(STACK9_WAIT_SYSCALL);
}

// The number is in the code, before the instruction that made the call.
std::int64_t
call_in_code(const blocked &w, context &x)
{
	std::uint8_t code[arch::call_code];
	const stack9_stack *const s = w.has_stack ? w.sample->user : nullptr;
	return s != nullptr && s->pcs != nullptr &&
	    (s->flags & STACK9_STACK_EXACT) != 0 && x.words.read(w.pid(),
	    s->pcs[0] - sizeof code, code) ? arch::call_before(code) : -1;
}

constexpr std::int64_t poll_call =
#ifdef SYS_poll
    SYS_poll;
#else
    SYS_ppoll;
#endif

// The kernel's functions often jump to the next ones, and are in no stack then.
std::int64_t
call_in_kernel(const blocked &w, context &x)
{
	if (!w.has_kernel_stack)
		return -1;
	switch (x.kernel.of(*w.sample->kernel, w.sample->kernel->depth)) {
	case kernel_function::poll_again:
		return poll_call;
	case kernel_function::sleep_again:
		return SYS_nanosleep;
	case kernel_function::futex_again:
		return SYS_futex;
	default:
		return -1;
	}
}

// glibc 2.41 makes these calls in a function that gets their number as an
// argument.  The functions that called it have names.
std::int64_t
call_by_function(const blocked &w, context &x)
{
	switch (!w.has_stack ? lock_function::none :
	    x.functions.of(*w.sample->user, w.pid())) {
	case lock_function::none:
		return -1;
	case lock_function::sleep:
		return SYS_clock_nanosleep;
	case lock_function::poll:
		return poll_call;
	default:
		return SYS_futex;
	}
}

// A call that was restarted after a stop still has its arguments in the
// registers.  The kernel restarts these calls; their time is that of the first
// start.
void
find_restarted(blocked &w, context &x)
{
	std::int64_t call = call_in_code(w, x);
	if (call < 0)
		call = call_in_kernel(w, x);
	if (call < 0)
		call = call_by_function(w, x);
	w.is(STACK9_WAIT_SYSCALL, "it was begun again after a stop, and which "
	    "call it was is not known");
	switch (call) {
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
		w.is(STACK9_WAIT_SLEEP);
		break;
	case SYS_futex:
		find_futex(w, x);
		break;
	case poll_call:
		find_poll(w, x);
		break;
	default:
		return;
	}
	w.restarted = call;
}

struct row {
	int	 call;
	finder	*find;
};

constexpr row table[] = {
	{SYS_futex, find_futex},
	{SYS_nanosleep, find_sleep}, {SYS_clock_nanosleep, find_sleep},
	{SYS_wait4, find_child}, {SYS_waitid, find_child},
	{SYS_clone, find_clone}, {SYS_clone3, find_clone},
	{SYS_flock, find_file_lock}, {SYS_fcntl, find_fcntl},
	{SYS_read, find_descriptor}, {SYS_readv, find_descriptor},
	{SYS_pread64, find_descriptor}, {SYS_write, find_descriptor},
	{SYS_writev, find_descriptor}, {SYS_pwrite64, find_descriptor},
	{SYS_recvfrom, find_descriptor}, {SYS_recvmsg, find_descriptor},
	{SYS_recvmmsg, find_descriptor}, {SYS_sendto, find_descriptor},
	{SYS_sendmsg, find_descriptor}, {SYS_sendmmsg, find_descriptor},
	{SYS_accept, find_descriptor}, {SYS_accept4, find_descriptor},
	{SYS_connect, find_descriptor}, {SYS_splice, find_descriptor},
	{SYS_fsync, find_descriptor}, {SYS_fdatasync, find_descriptor},
	{SYS_ppoll, find_polled}, {SYS_pselect6, find_polled},
	{SYS_epoll_pwait, find_polled}, {SYS_epoll_pwait2, find_polled},
	{SYS_restart_syscall, find_restarted},
	{SYS_rt_sigsuspend, find_signal}, {SYS_rt_sigtimedwait, find_signal},
	{SYS_io_uring_enter, find_io_uring},
#ifdef SYS_pause
	{SYS_pause, find_signal}, {SYS_vfork, find_vfork},
	{SYS_poll, find_polled}, {SYS_select, find_polled},
	{SYS_epoll_wait, find_polled},
#endif
};

void
find_by_call(blocked &w, context &x)
{
	if (w.facts->is_32_bit)
		return w.is(STACK9_WAIT_SYSCALL, "a 32-bit program: its system "
		    "calls have other numbers");
	for (const row &r : table)
		if (r.call == w.facts->call)
			return r.find(w, x);
	w.is(STACK9_WAIT_SYSCALL);
}

void
find_tracer(blocked &w, context &x)
{
	w.is(STACK9_WAIT_TRACER);
	if (w.facts->tracer.tid == 0)
		w.reason = "its tracer is not visible here";
	else if (x.people.is_alive(w.facts->tracer))
		w.add(w.facts->tracer, STACK9_ROLE_TRACER);
}

} // namespace

void
find_wait(blocked &w, context &x)
{
	const wait_facts &f = *w.facts;
	w.error = f.error;
	if (f.error != 0)
		return w.is(STACK9_WAIT_UNKNOWN, f.reason != nullptr ?
		    f.reason : f.error == ESRCH ? "the thread is gone" :
		    "what it waits for cannot be read");
	if (f.state == 'Z' || f.state == 'X') {
		w.error = ESRCH;
		return w.is(STACK9_WAIT_UNKNOWN, "the thread is dead");
	}
	if (f.state == 't')
		return find_tracer(w, x);
	if (f.state == 'T')
		return w.is(STACK9_WAIT_STOPPED);
	if (f.running || f.state == 'R')
		return w.is(STACK9_WAIT_NONE);
	if (f.lock != kernel_lock::none && f.call != SYS_futex)
		return find_kernel_lock(w, x);
	if (!f.knows_call)
		return w.is(STACK9_WAIT_KERNEL);
	if (find_page(w, x))
		return;
	if (f.call < 0)
		return w.is(STACK9_WAIT_FAULT);
	find_by_call(w, x);
}

} // namespace stack9::waits
