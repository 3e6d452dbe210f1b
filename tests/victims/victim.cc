// Starts processes whose threads do what they are asked to, and kills them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "victim.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <new>
#include <thread>

#include <fmt/format.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/queued.h"

using lib::make_pipe, lib::pipe_ends;

namespace {

struct report {
	pid_t tid;
	doing what;
};

void
tell(int fd, doing what)
{
	const report r{gettid(), what};
	if (write(fd, &r, sizeof r) != sizeof r)
		_exit(1);
}

// Best effort: a machine may have one CPU only.
void
stay_on_cpu(int cpu)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

// A thousand sleepers need no more.  The first call makes it, and others would
// wait for that, asleep in another place than they should be.
const pipe_ends &
common_pipe()
{
	static const pipe_ends p = make_pipe();
	return p;
}

void
sleep_in(doing what)
{
	static int word = 0;
	const pipe_ends &p = common_pipe();
	char byte;
	switch (what) {
	case doing::read:
		while (read(p.r, &byte, 1) != 0)
			;
		break;
	case doing::poll: {
		pollfd f{p.r, POLLIN, 0};
		for (;;)
			poll(&f, 1, -1);
	}
	case doing::futex:
		for (;;)
			syscall(SYS_futex, &word, FUTEX_WAIT, 0, nullptr,
			    nullptr, 0);
	case doing::nanosleep:
		for (;;) {
			const timespec ages{1000000, 0};
			nanosleep(&ages, nullptr);
		}
	case doing::epoll: {
		const int e = epoll_create1(0);
		epoll_event ev;
		for (;;)
			epoll_wait(e, &ev, 1, -1);
	}
	case doing::sigwait: {
		sigset_t set;
		sigemptyset(&set);
		sigaddset(&set, SIGUSR2);
		for (;;)
			sigwaitinfo(&set, nullptr);
	}
	default:
		abort();
	}
}

using count = std::atomic<std::ptrdiff_t>;

// Makes one that a victim shares with its maker.
count &
make_count()
{
	void *const at = mmap(nullptr, sizeof(count), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		abort();
	return *new (at) count(0);
}

[[noreturn]] void
spin_in_user_mode(count &spinning)
{
	spinning++;
	for (;;)
		asm volatile("");	// or the loop may be taken for none
}

[[noreturn]] void
spin_in_system_calls()
{
	for (;;)
		syscall(SYS_getppid);
}

[[noreturn]] void
flip(pipe_ends mine, pipe_ends other, bool begins)
{
	char byte = 0;
	for (;;) {
		if (begins && write(other.w, &byte, 1) != 1)
			_exit(1);
		if (read(mine.r, &byte, 1) != 1)
			_exit(1);
		begins = true;
	}
}

[[noreturn]] void
come_and_go()
{
	for (;;) {
		pthread_t t;
		if (pthread_create(&t, nullptr,
		    [](void *) -> void * { return nullptr; }, nullptr) == 0)
			pthread_join(t, nullptr);
	}
}

// A spinner may sleep on its way to its CPU.  So it reports itself there, and
// is counted in its loop.
void
do_it(doing what, int to, int index, count &spinning)
{
	prctl(PR_SET_NAME, fmt::format("v{}-{}", static_cast<int>(what),
	    index).c_str());
	if (what == doing::flip) {
		const pipe_ends a = make_pipe(), b = make_pipe();
		std::thread([=] {
			prctl(PR_SET_NAME, fmt::format("v{}-{}",
			    static_cast<int>(what), index).c_str());
			tell(to, what);
			flip(b, a, false);
		}).detach();
		tell(to, what);
		flip(a, b, true);
	}
	if (what == doing::spin_user || what == doing::spin_syscall)
		stay_on_cpu(1);
	tell(to, what);
	if (what == doing::spin_user)
		spin_in_user_mode(spinning);
	if (what == doing::spin_syscall)
		spin_in_system_calls();
	if (what == doing::come_and_go)
		come_and_go();
	sleep_in(what);
}

} // namespace

victim::victim(std::vector<doing> threads)
{
	const pipe_ends reports = make_pipe();
	count &spinning = make_count();
	std::size_t expected = 0;
	for (const doing d : threads)
		expected += d == doing::flip ? 2 : 1;
	pid_ = fork();
	if (pid_ == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (const int s : {SIGABRT, SIGSEGV, SIGBUS, SIGTERM})
			signal(s, SIG_DFL);	// not the test's handlers
		sigset_t set;
		sigemptyset(&set);
		sigaddset(&set, SIGUSR2);
		sigprocmask(SIG_BLOCK, &set, nullptr);
		common_pipe();
		for (std::size_t i = 1; i < threads.size(); i++)
			std::thread(do_it, threads[i], reports.w,
			    static_cast<int>(i), std::ref(spinning)).detach();
		do_it(threads[0], reports.w, 0, spinning);
		_exit(0);
	}
	close(reports.w);	// so that a dead victim is an end of file
	for (std::size_t i = 0; i < expected; i++) {
		report r{};
		if (read(reports.r, &r, sizeof r) != sizeof r)
			abort();
		tids_.push_back(r.tid);
		if (r.what < doing::spin_user)
			wait_for_state(r.tid, 'S');
	}
	close(reports.r);
	while (spinning != std::count(threads.begin(), threads.end(),
	    doing::spin_user))
		sched_yield();
	munmap(&spinning, sizeof spinning);
}

void
victim::kill_and_reap()
{
	if (pid_ > 0) {
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, __WALL);
	}
	pid_ = -1;
}

victim::~victim()
{
	kill_and_reap();
}

