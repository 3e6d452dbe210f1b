// Defines outer, middle and inner: three frames above the call that blocks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "victim.h"

#include <cstring>

#include <alloca.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// A sanitizer's own read() and kin come between, and find their frames by rbp;
// syscall() it leaves alone.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define	read(...)		syscall(SYS_read, __VA_ARGS__)
#define	poll(...)		syscall(SYS_poll, __VA_ARGS__)
#define	nanosleep(...)		syscall(SYS_nanosleep, __VA_ARGS__)
#define	epoll_wait(...)		syscall(SYS_epoll_wait, __VA_ARGS__)
#define	sem_wait(semaphore)						\
	syscall(SYS_futex, &o.word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0)
#endif

// Makes the function save its caller's frame pointer.  Functions of the C
// library that block do so or not, by its release.
#if defined(VICTIM_OMITS_FP) && defined(__x86_64__)
#define	SAVE_FP()		asm volatile("" ::: "rbp")
#elif defined(VICTIM_OMITS_FP) && defined(__aarch64__)
#define	SAVE_FP()		asm volatile("" ::: "x29")
#else
#define	SAVE_FP()		asm volatile("")
#endif

namespace VICTIM {
namespace {

void
sleep_in(orders &o)
{
	pollfd p{o.fds[0], POLLIN, 0};
	epoll_event e{EPOLLIN, {}};
	timespec t{1000000, 0};
	char c;
	switch (o.what) {
	case deed::futex:
		syscall(SYS_futex, &o.word, FUTEX_WAIT_PRIVATE, 0, nullptr,
		    nullptr, 0);
		break;
	case deed::poll:
		poll(&p, 1, -1);
		break;
	case deed::read:
		if (read(o.fds[0], &c, 1) < 0)
			return;
		break;
	case deed::nanosleep:
		nanosleep(&t, nullptr);
		break;
	case deed::epoll: {
		const int fd = epoll_create1(EPOLL_CLOEXEC);
		epoll_ctl(fd, EPOLL_CTL_ADD, o.fds[0], &e);
		epoll_wait(fd, &e, 1, -1);
		close(fd);
		break;
	}
	case deed::call:
		o.call(o);
		break;
	default:
		sem_wait(&o.semaphore);
	}
}

void
spin(orders &o)
{
	timespec t;
	while (o.word == 0) {
		if (o.what == deed::spin_vdso)
			clock_gettime(CLOCK_MONOTONIC, &t);
		else if (o.what == deed::spin_syscall)
			syscall(SYS_getppid);
		o.rounds.fetch_add(1, std::memory_order_relaxed);
	}
}

[[gnu::noinline]] void
inner(orders &o)
{
	SAVE_FP();
	note_truth(o.truth, RETURN_ADDRESS());
	o.returns[0] = RETURN_ADDRESS();
	if (o.what < deed::spin) {
		o.ready = true;
		sleep_in(o);
		o.returned++;
	} else {
		o.ready = true;
		spin(o);
	}
	asm volatile("" ::: "memory");
}

[[gnu::noinline]] void
middle(orders &o)
{
	o.returns[1] = RETURN_ADDRESS();
	inner(o);
	asm volatile("" ::: "memory");
}

[[gnu::noinline]] void
outer(orders &o)
{
	o.returns[2] = RETURN_ADDRESS();
	if (o.ballast > 0) {
		void *weight = alloca(o.ballast);
		std::memset(weight, 0, o.ballast);
		asm volatile("" :: "r"(weight) : "memory");
		middle(o);
	} else
		middle(o);
	asm volatile("" ::: "memory");
}

} // namespace

void
obey(orders &o)
{
	o.returns[3] = RETURN_ADDRESS();
	outer(o);
	asm volatile("" ::: "memory");
}

#ifdef VICTIM_OMITS_FP
void
save_fp_and_read(orders &o)
{
	char c;
	SAVE_FP();
	if (read(o.fds[0], &c, 1) < 0)
		return;
	asm volatile("" ::: "memory");
}
#endif

} // namespace VICTIM
