// Starts the tracer as a process or as a thread, and waits for its end.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tracer_process.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "os/clocks.h"
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#endif

namespace stack9::tracing {
namespace {

constexpr std::size_t stack_size = 256 << 10;	// sanitizers need most of it

// The mask as the kernel takes it.  glibc's calls leave out two signals.
using kernel_mask = std::uint64_t;
constexpr kernel_mask chld = kernel_mask{1} << (SIGCHLD - 1);

timespec
as_timespec(std::uint64_t ns) noexcept
{
	return {static_cast<time_t>(ns / 1000000000),
	    static_cast<long>(ns % 1000000000)};
}

class all_signals_blocked {
public:
	all_signals_blocked() noexcept { set(~kernel_mask{0}, &before_); }
	~all_signals_blocked() { set(before_, nullptr); }
	all_signals_blocked(const all_signals_blocked &) = delete;
	all_signals_blocked &operator=(const all_signals_blocked &) = delete;

private:
	static void
	set(kernel_mask mask, kernel_mask *before) noexcept
	{
		syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, before,
		    sizeof mask);
	}

	kernel_mask	before_ = 0;
};

// A timer that sends SIGKILL.  Unlike any other signal, SIGKILL also ends a
// process that is stopped.
class killer {
public:
	bool
	arm(std::uint64_t ns) noexcept
	{
		itimerspec when{};
		when.it_value = as_timespec(ns);
		return made_ && syscall(SYS_timer_settime, id_, 0, &when,
		    nullptr) == 0;
	}
	bool
	make() noexcept
	{
		sigevent what{};
		what.sigev_notify = SIGEV_SIGNAL;
		what.sigev_signo = SIGKILL;
		made_ = syscall(SYS_timer_create, CLOCK_MONOTONIC, &what,
		    &id_) == 0;
		return made_;
	}

private:
	int	id_ = 0;
	bool	made_ = false;
};

// The parent sleeps until this process has ended, as with vfork(2), so the
// process may use the parent's thread-local storage.
class process final : public tracer {
public:
	bool
	begin(pid_t parent, std::uint64_t life) noexcept
	{
		syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		// The parent may be dead.  Or we are in a pid namespace of our
		// own, where tids would name other threads.
		return syscall(SYS_getppid) == parent && hears_children() &&
		    killer_.make() && killer_.arm(life);
	}
	bool
	may_live(std::uint64_t ns) noexcept override
	{
		return killer_.arm(ns);
	}
	void
	wait(std::uint64_t until) noexcept override
	{
		const std::uint64_t t = now();
		const timespec left = as_timespec(until > t ? until - t : 0);
		syscall(SYS_rt_sigtimedwait, &chld, nullptr, &left,
		    sizeof chld);
	}

private:
	// Our signal dispositions are a copy of the program's, and that may
	// ignore SIGCHLD.  The system call is made directly because sanitizers
	// keep dispositions of their own.
	static bool
	hears_children() noexcept
	{
		const char nothing[64]{};	// SIG_DFL, no flags
		return syscall(SYS_rt_sigaction, SIGCHLD, nothing, nullptr,
		    sizeof(kernel_mask)) == 0;
	}

	killer	killer_;
};

// SIGCHLD and wait(2) belong to the program here, so this tracer polls.
class thread final : public tracer {
public:
	bool may_live(std::uint64_t) noexcept override { return true; }
	void
	wait(std::uint64_t until) noexcept override
	{
		const std::uint64_t t = now();
		const timespec pause = as_timespec(until > t + 50000 ? 50000 :
		    until > t ? until - t : 0);
		nanosleep(&pause, nullptr);
	}
};

struct start {
	work			&what;
	const pid_t		parent;
	const std::uint64_t	life;
	std::atomic<bool>	begun{false};
	std::atomic<bool>	done{false};
};

int
process_main(void *arg) noexcept
{
	start &s = *static_cast<start *>(arg);
	process self;
	if (!self.begin(s.parent, s.life))
		return 1;
	s.begun = true;
	s.what.run(self);
	s.done = true;
	return 0;
}

void *
thread_main(void *arg) noexcept
{
	thread self;
	static_cast<work *>(arg)->run(self);
	return nullptr;
}

bool
joined_within(pthread_t id, std::uint64_t ns) noexcept
{
	timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	const std::uint64_t t = static_cast<std::uint64_t>(until.tv_sec) *
	    1000000000 + static_cast<std::uint64_t>(until.tv_nsec) + ns;
	until = as_timespec(t);
	return pthread_timedjoin_np(id, nullptr, &until) == 0;
}

#if defined(__SANITIZE_THREAD__)
#define	TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define	TSAN 1
#endif
#endif

// A tracer that was killed has left poisoned memory, and the next tracer may
// get the same stack.
void
unmark([[maybe_unused]] std::byte *stack) noexcept
{
#if __has_include(<sanitizer/asan_interface.h>)
	ASAN_UNPOISON_MEMORY_REGION(stack, stack_size);
#endif
}

} // namespace

std::uint64_t
now() noexcept
{
	return static_cast<std::uint64_t>(monotonic_ns());
}

run_end
run_as_process(work &what, arena &memory, std::uint64_t life) noexcept
{
#ifdef TSAN	// TSan takes every clone(2) for a fork(2)
	return run_end::never;
#endif
	std::byte *const stack = memory.take(stack_size);
	if (stack == nullptr)
		return run_end::never;
	unmark(stack);
	const all_signals_blocked guard;
	start s{what, getpid(), life};
	// The descriptors are shared: the end of a copied table would flush
	// every file in it.
	const pid_t pid = clone(process_main, stack + stack_size, CLONE_VM |
	    CLONE_VFORK | CLONE_FILES | CLONE_FS | CLONE_UNTRACED, &s);
	if (pid < 0)
		return run_end::never;
	// Its end sends no signal, so only a wait with __WALL sees it.
	while (waitpid(pid, nullptr, __WALL) < 0 && errno == EINTR)
		;
	return s.done ? run_end::done : s.begun ? run_end::killed :
	    run_end::never;
}

run_end
run_as_thread(work &what) noexcept
{
	pthread_t id;
	{
		const all_signals_blocked guard;
		if (pthread_create(&id, nullptr, thread_main, &what) != 0)
			return run_end::never;
	}
	while (!joined_within(id, 500 * millisecond))
		what.nudge();
	return run_end::done;
}

} // namespace stack9::tracing
