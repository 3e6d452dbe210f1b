// Defines the route "signal".  It asks a running thread of this process for its
// stack by a real-time signal.  The thread answers when it next returns to user
// mode, within microseconds when it is on a CPU.  It is looked at before the
// signal is sent.  If it enters a system call just then, the call may be
// interrupted, as by any signal: SA_RESTART resumes those that can be resumed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "os/clocks.h"
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "request.h"
#include "routes.h"
#include "task.h"

namespace stack9::self {
namespace {

constexpr long bound_ns = 100000000;	// for all waits together
constexpr long slice_ns = 10000000;	// then check that it still lives
constexpr long pause_ns = 1000000;

constexpr char signal_in_use[] = "the signal that would ask a running thread "
    "is used by the program; stack9_set_signal() can name another";

timespec
spec(std::int64_t ns) noexcept
{
	return {ns / 1000000000, ns % 1000000000};
}

int
silent(stack_record &rec, const char *reason) noexcept
{
	return refuse(rec, EAGAIN, STACK9_WHY_SILENT, reason);
}

// A signal that the thread blocks would stay pending, and more would pile up.
// So no signal is sent until the thread can take it.
int
wait_unblocked(task &who, int signo, std::int64_t deadline, stack_record &rec)
    noexcept
{
	for (;;) {
		bool blocked = false;
		const int error = who.blocks(signo, blocked, rec);
		if (error != 0 || !blocked)
			return error;
		if (monotonic_ns() >= deadline)
			return silent(rec, "the thread blocks the signal that "
			    "would ask it; see stack9_set_signal()");
		const timespec pause = spec(pause_ns);
		nanosleep(&pause, nullptr);
	}
}

int
take(pid_t tid, std::int64_t deadline, request *&r, stack_record &rec) noexcept
{
	for (;;) {
		int error;
		r = take_request(tid, rec.max, error);
		if (r != nullptr)
			return 0;
		if (error != 0)
			return refuse(rec, error, STACK9_WHY_RESOURCE,
			    "no memory for an answer to be written to");
		if (monotonic_ns() >= deadline)
			return silent(rec, "too many threads are being asked "
			    "by a signal at once");
		const timespec pause = spec(pause_ns);
		nanosleep(&pause, nullptr);
	}
}

int
send(const request &r, int signo, stack_record &rec) noexcept
{
	siginfo_t info{};
	info.si_signo = signo;
	info.si_code = SI_QUEUE;
	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value = value_of(r);
	if (syscall(SYS_rt_tgsigqueueinfo, getpid(), r.tid, signo, &info) == 0)
		return 0;
	if (errno == ESRCH)
		return refuse(rec, ESRCH, STACK9_WHY_GONE, nullptr);
	return refuse(rec, errno, STACK9_WHY_RESOURCE,
	    "the signal could not be queued; see RLIMIT_SIGPENDING");
}

// Waits until the thread answers, dies, or the time is up.
int
wait_answer(task &who, request &r, int signo, std::int64_t deadline,
    stack_record &rec) noexcept
{
	for (;;) {
		const std::int64_t until =
		    std::min(monotonic_ns() + slice_ns, deadline);
		if (await(r, spec(until)))
			return 0;
		bool blocked;
		const int error = who.blocks(signo, blocked, rec);
		if (error != 0)
			return error;
		if (until == deadline)
			return silent(rec, "the thread did not come to take "
			    "the signal that asked it");
	}
}

// If the thread dies meanwhile, another sibling may have its tid when the
// signal arrives.  So the thread must still be there afterwards: then it is the
// one that answered.
int
read_answer(task &who, const request &r, int signo, stack_record &rec) noexcept
{
	bool blocked;
	const int error = who.blocks(signo, blocked, rec);
	if (error != 0)
		return error;
	if (r.answer.depth == 0)
		return refuse(rec, ESRCH, STACK9_WHY_GONE, nullptr);
	std::copy(r.pcs, r.pcs + r.answer.depth, rec.pcs);
	rec.flags |= STACK9_STACK_EXACT;
	explain(r.answer, rec);
	return 0;
}

// A thread that sleeps is read, and its system call goes on.
int
read_again(task &who, stack_record &rec) noexcept
{
	posture now;
	if (by_registers.can().error != 0)
		return 0;
	const int error = who.read_posture(now, rec);
	return error != 0 || now.running ? error :
	    refuse(rec, EAGAIN, STACK9_WHY_TORN, nullptr);
}

int
ask(task &who, request &r, int signo, std::int64_t deadline,
    stack_record &rec) noexcept
{
	int error = read_again(who, rec);
	if (error == 0)
		error = send(r, signo, rec);
	if (error == 0)
		error = wait_answer(who, r, signo, deadline, rec);
	if (error != 0 && forsake(r))
		return error;
	if (error == 0)
		error = read_answer(who, r, signo, rec);
	release(r);
	return error;
}

int
save_running(const stack9_thread &td, stack_record &rec) noexcept
{
	const std::int64_t deadline = monotonic_ns() + bound_ns;
	task who;
	int error = who.open(td, rec);
	if (error != 0)
		return error;
	if (install_handler() != 0)
		return refuse(rec, EOPNOTSUPP, STACK9_WHY_MACHINE,
		    signal_in_use);
	const int signo = chosen_signal();
	error = wait_unblocked(who, signo, deadline, rec);
	if (error != 0)
		return error;
	request *r;
	error = take(td.tid, deadline, r, rec);
	return error != 0 ? error : ask(who, *r, signo, deadline, rec);
}

} // namespace

verdict
signal_route::can() noexcept
{
	const int saved = errno;
	const verdict v = !signal_is_free() ?
	    verdict{EOPNOTSUPP, signal_in_use} :
	    task::probe() != 0 ?
	    verdict{EOPNOTSUPP, "/proc/self/task cannot be used here"} :
	    verdict{0, nullptr};
	errno = saved;
	return v;
}

int
signal_route::save(const stack9_thread &td, stack_record &rec) noexcept
{
	const int saved = errno;
	const int error = save_running(td, rec);
	errno = saved;
	return error;
}

constinit signal_route by_signal("signal",
    "a running sibling by a real-time signal, see stack9_set_signal()", 20);

} // namespace stack9::self
