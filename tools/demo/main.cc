// Runs the six threads that make demo prints, each in a place of its own.  Says
// on stdout when all are there, then waits for the end of stdin.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "place.h"

namespace {

std::atomic<unsigned long> user_turns, kernel_turns;
int never[2];	// a pipe that nobody writes to

void
in_futex()
{
	static int word = 0;
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
}

void
in_poll()
{
	pollfd p{never[0], POLLIN, 0};
	poll(&p, 1, -1);
}

void
in_read()
{
	char c;
	(void)!read(never[0], &c, 1);
}

void
in_nanosleep()
{
	const timespec long_time{1000000, 0};
	clock_nanosleep(CLOCK_MONOTONIC, 0, &long_time, nullptr);
}

void
spin_in_user_mode()
{
	for (;;)
		user_turns.fetch_add(1, std::memory_order_relaxed);
}

void
spin_in_system_calls()
{
	// The buffer is large enough that a capture finds the thread inside the
	// call.
	static char zeros[1 << 16];
	const int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	for (;;) {
		(void)!read(zero, zeros, sizeof zeros);
		kernel_turns.fetch_add(1, std::memory_order_relaxed);
	}
}

struct part {
	const char			*name;
	void				(*play)();
	long				 call;	// that it sleeps in; -1: none
	const std::atomic<unsigned long> *turns = nullptr;
};

const part parts[] = {
	{"futex", in_futex, SYS_futex},
	{"poll", in_poll, SYS_poll},
	{"read", in_read, SYS_read},
	{"nanosleep", in_nanosleep, SYS_clock_nanosleep},
	{"spin-user", spin_in_user_mode, -1, &user_turns},
	{"spin-syscall", spin_in_system_calls, -1, &kernel_turns},
};

pid_t
begin(const part &p)
{
	std::atomic<pid_t> tid{0};
	std::thread([&tid, &p] {
		pthread_setname_np(pthread_self(), p.name);
		tid.store(gettid());
		tid.notify_one();
		p.play();
	}).detach();
	tid.wait(0);
	return tid.load();
}

void
wait_until_there(const part &p, pid_t tid)
{
	if (p.call >= 0)
		demo::wait_until_asleep_in(tid, p.call);
	else
		while (p.turns->load() == 0)
			std::this_thread::yield();
}

} // namespace

int
main()
{
	// The demo must not outlive the program that runs it.
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (pipe(never) != 0)
		return 1;
	std::printf("ready %d", getpid());
	for (const part &p : parts) {
		const pid_t tid = begin(p);
		wait_until_there(p, tid);
		std::printf(" %s %d", p.name, tid);
	}
	std::printf("\n");
	std::fflush(stdout);
	char c;
	while (read(0, &c, 1) > 0)
		;
	_exit(0);
}
