// Makes processes whose threads write down what is on their stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "noted.h"

#include <csignal>
#include <cstdlib>
#include <thread>

#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace {

std::atomic<std::uint64_t> leaders_count;
thread_local notes *mine;	// for handlers

#define	NOTE_RETURN(n, i)						\
	((n).returns[i] = {reinterpret_cast<std::uintptr_t>(		\
	    __builtin_frame_address(0)) + sizeof(void *),		\
	    reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))})

// Returns the end to read from of a pipe that nobody writes to.  The first call
// makes the pipe, and others would wait for that, asleep in another place than
// they should be.
int
silent_pipe()
{
	static int ends[2], made = pipe(ends);
	if (made != 0)
		abort();
	return ends[0];
}

void
sleep_for_ever(deed d)
{
	static int word;
	const int end = silent_pipe();
	char c;
	pollfd p{end, POLLIN, 0};
	const timespec ages{1000000, 0};
	switch (d) {
	case deed::futex:
		syscall(SYS_futex, &word, FUTEX_WAIT, 0, nullptr, nullptr, 0);
		break;
	case deed::poll:
		poll(&p, 1, -1);
		break;
	case deed::nanosleep:
		nanosleep(&ages, nullptr);
		break;
	default:
		if (read(end, &c, 1) < 0)
			break;
	}
	mine->returned++;
}

void
nap()
{
	const timespec t{0, 1000000};
	nanosleep(&t, nullptr);
}

[[gnu::noinline]] void
wait_for_child()
{
	const pid_t parent = getpid();
	if (vfork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		// On a busy machine the parent may have been killed by now.
		while (getppid() == parent)
			pause();
		_exit(0);
	}
}

void
start_one()
{
	pthread_t t;
	if (pthread_create(&t, nullptr,
	    [](void *) -> void * { return nullptr; }, nullptr) == 0)
		pthread_join(t, nullptr);
}

void
sleep_on_other_stack()
{
	static char other[65536];
	const stack_t s{other, 0, sizeof other};
	sigaltstack(&s, nullptr);
	struct sigaction act{};
	act.sa_flags = SA_ONSTACK;
	act.sa_handler = [](int) {
		mine->ready = true;
		for (;;)
			sleep_for_ever(deed::read);
	};
	sigaction(SIGUSR1, &act, nullptr);
	raise(SIGUSR1);
}

void
count_signals()
{
	struct sigaction act{};
	act.sa_handler = [](int) { mine->signals++; };
	sigaction(SIGRTMIN, &act, nullptr);
}

void
do_once(deed d, volatile std::uint64_t &count)
{
	switch (d) {
	case deed::tick:
		nap();
		break;
	case deed::calls:
		syscall(SYS_getppid);
		break;
	case deed::lead:
		count = count + 1;
		leaders_count.store(count);
		break;
	case deed::follow:
		count = leaders_count.load();
		break;
	case deed::vfork:
		wait_for_child();
		break;
	case deed::come_and_go:
		start_one();
		break;
	case deed::on_other_stack:
		sleep_on_other_stack();
		break;
	case deed::spin:
	case deed::count_signals:
		break;
	default:
		sleep_for_ever(d);
	}
}

// The page under the stack pointer is there, or a copy begins without what the
// red zone would add.
[[gnu::noinline]] void
touch_below()
{
	char below[8192];
	below[0] = below[4096] = 0;
	asm volatile("" :: "r"(below) : "memory");
}

[[gnu::noinline]] void
inner(deed d, notes &n)
{
	NOTE_RETURN(n, 0);
	volatile std::uintptr_t stamps[stamp_count];
	volatile std::uint64_t count = 0;
	for (std::size_t i = 0; i < stamp_count; i++)
		stamps[i] = stamp(n.tid, i);
	n.stamps = reinterpret_cast<std::uintptr_t>(stamps);
	n.count = reinterpret_cast<std::uintptr_t>(&count);
	touch_below();
	n.ready = d != deed::on_other_stack;
	while (n.tid != 0) {	// always
		do_once(d, count);
		n.rounds.fetch_add(1, std::memory_order_relaxed);
	}
}

[[gnu::noinline]] void
deeper(deed d, notes &n, int left)
{
	char weight[4096];
	asm volatile("" :: "r"(weight) : "memory");
	if (left == 0)
		inner(d, n);
	else
		deeper(d, n, left - 1);
	asm volatile("" :: "r"(weight) : "memory");
}

[[gnu::noinline]] void
middle(deed d, notes &n)
{
	NOTE_RETURN(n, 1);
	if (d == deed::deep)
		deeper(d, n, 1024);
	else
		inner(d, n);
	asm volatile("" ::: "memory");
}

[[gnu::noinline]] void
outer(deed d, notes &n)
{
	NOTE_RETURN(n, 2);
	middle(d, n);
	asm volatile("" ::: "memory");
}

[[gnu::noinline]] void
obey(deed d, notes &n)
{
	NOTE_RETURN(n, 3);
	mine = &n;
	n.tid = gettid();
	outer(d, n);
	asm volatile("" ::: "memory");
}

} // namespace

std::uintptr_t
stamp(pid_t tid, std::size_t index)
{
	return static_cast<std::uintptr_t>(tid) << 32 | 0xabcd0000 | index;
}

noted::noted(const std::vector<deed> &threads) : size_(threads.size())
{
	void *const p = mmap(nullptr, sizeof(notes) * size_,
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		abort();
	shared_ = static_cast<notes *>(p);
	pid_ = fork();
	if (pid_ == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (const int s : {SIGABRT, SIGSEGV, SIGBUS, SIGTERM})
			signal(s, SIG_DFL);	// not the test's handlers
		count_signals();
		silent_pipe();
		for (std::size_t i = 1; i < size_; i++)
			std::thread(obey, threads[i],
			    std::ref(shared_[i])).detach();
		obey(threads[0], shared_[0]);
		_exit(0);
	}
	for (std::size_t i = 0; i < size_; i++) {
		while (!shared_[i].ready)
			sched_yield();
		if (threads[i] < deed::tick || threads[i] ==
		    deed::on_other_stack || threads[i] == deed::deep)
			wait_for_state(shared_[i].tid, 'S');
		if (threads[i] == deed::vfork)
			wait_for_state(shared_[i].tid, 'D');
	}
}

void
noted::kill_and_reap()
{
	if (pid_ > 0) {
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, __WALL);
	}
	pid_ = -1;
}

noted::~noted()
{
	kill_and_reap();
	munmap(shared_, sizeof(notes) * size_);
}

const notes *
noted::find(pid_t tid) const
{
	for (std::size_t i = 0; i < size_; i++)
		if (shared_[i].tid == tid)
			return &shared_[i];
	return nullptr;
}
