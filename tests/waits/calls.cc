// Compares the waits that stack9_waits() finds with those that programs know:
// system calls, children and tracers.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "lib/queued.h"
#include "check.h"
#include "require.h"
#include "victim.h"

namespace {

BOOST_AUTO_TEST_CASE(waits_in_system_calls, *needs("bpf"))
{
	scene of([](stage &s) {
		static int fds[2], other, ep;
		char file[] = "/tmp/stack9-waits-XXXXXX";
		const int empty = mkstemp(file);
		other = open(file, O_RDWR);
		unlink(file);
		flock(empty, LOCK_EX);
		if (pipe(fds) != 0 || (ep = epoll_create1(0)) < 0)
			return;
		note(s, 0, STACK9_WAIT_SIGNAL, -1);
		act(s, 1, STACK9_WAIT_PIPE, -1, [] {
			char c;
			while (read(fds[0], &c, 1) < 0)
				;
		});
		act(s, 2, STACK9_WAIT_SLEEP, -1, [] { sleep(1000); });
		act(s, 3, STACK9_WAIT_POLL, -1, [] {
			pollfd p{fds[0], POLLIN, 0};
			poll(&p, 1, -1);
		});
		act(s, 4, STACK9_WAIT_EPOLL, -1, [] {
			epoll_event e;
			epoll_wait(ep, &e, 1, -1);
		});
		act(s, 5, STACK9_WAIT_FLOCK, 0, [] { flock(other, LOCK_EX); },
		    true);
		act(s, 6, STACK9_WAIT_SOCKET, -1, [] {
			int pair[2];
			char c;
			socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
			while (recv(pair[0], &c, 1, 0) < 0)
				;
		});
	});
	for (const auto &[tid, f] : check_scene(of)) {
		if (f.kind == STACK9_WAIT_POLL || f.kind == STACK9_WAIT_PIPE ||
		    f.kind == STACK9_WAIT_SOCKET)
			BOOST_TEST((f.reason.find("own process") !=
			    f.reason.npos), f.reason);
		if (f.kind == STACK9_WAIT_SLEEP) {
			BOOST_TEST((f.left_ns == 0 ||
			    f.left_ns > 980'000'000'000u));
			BOOST_TEST(f.left_ns <= 1'000'000'000'000u);
		}
		if (f.kind == STACK9_WAIT_POLL || f.kind == STACK9_WAIT_PIPE)
			BOOST_TEST(f.object.find("pipe:[") != f.object.npos);
	}
}

BOOST_AUTO_TEST_CASE(calls_begun_anew, *needs("bpf") *
    boost::unit_test::description("BUGS: It is given as the call that was "
    "interrupted.  This one is known by the code before the innermost frame of "
    "the user stack, or by the kernel stack, or by the function of the C "
    "library that made it."))
{
	scene of([](stage &s) {
		begin_process(s, 0, [] { });
		act(s, 1, STACK9_WAIT_SLEEP, -1, [] { sleep(1000); });
		act(s, 2, STACK9_WAIT_POLL, -1,
		    [] { poll(nullptr, 0, 1'000'000); });
	});
	const actor *const actors = of.get().actors;
	check_scene(of);
	kill(of.pid(), SIGSTOP);
	wait_until([&] { return state_of(actors[1].tid) == 'T' &&
	    state_of(actors[2].tid) == 'T'; });
	kill(of.pid(), SIGCONT);
	wait_until([&] {
		return is_in_call(actors[1].tid, SYS_restart_syscall) &&
		    is_in_call(actors[2].tid, SYS_restart_syscall);
	});
	all_found all = check_scene(of);
	BOOST_TEST((all[actors[1].tid].call == "clock_nanosleep" ||
	    all[actors[1].tid].call == "nanosleep"), all[actors[1].tid].call);
	BOOST_TEST(all[actors[2].tid].call == "poll");
}

BOOST_AUTO_TEST_CASE(children_and_tracers, *needs("bpf"))
{
	scene of([](stage &s) {
		static pid_t stopped;
		const pid_t child = fork();
		if (child == 0) {
			note(s, 1, STACK9_WAIT_SIGNAL, -1);
			for (;;)
				pause();
		}
		while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 1)
			usleep(100);
		note(s, 2, -1, -1);
		s.actors[0] = s.actors[2];
		act(s, 2, STACK9_WAIT_CHILD, 1, [child] {
			waitpid(child, nullptr, 0);
		});
		act(s, 3, STACK9_WAIT_SIGNAL, -1, [] {
			stopped = fork();
			if (stopped == 0) {
				ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
				raise(SIGSTOP);
			}
			pause();
		});
		while (__atomic_load_n(&stopped, __ATOMIC_SEQ_CST) == 0)
			usleep(100);
		s.actors[4] = {stopped, stopped, STACK9_WAIT_TRACER, 3, false};
		s.count = 5;
	});
	check_scene(of);
}

BOOST_AUTO_TEST_CASE(the_child_of_vfork, *needs("bpf"))
{
	scene of([](stage &s) {
		static stage *here;
		here = &s;
		act(s, 0, STACK9_WAIT_VFORK, 1, [] {
			if (vfork() == 0) {
				note(*here, 1, STACK9_WAIT_SIGNAL, -1);
				for (;;)
					pause();
			}
		});
		while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 2)
			usleep(100);
	});
	for (const auto &[tid, f] : check_scene(of))
		if (f.kind == STACK9_WAIT_VFORK)
			BOOST_TEST((f.flags & STACK9_WAIT_ALL_HOLDERS) != 0);
}

// The thread has begun another process before.  That one has its own memory.
BOOST_AUTO_TEST_CASE(a_child_beside_that_of_vfork, *needs("bpf") *
    boost::unit_test::description("STACK9_WAIT_VFORK: the child that has its "
    "memory"))
{
	scene of([](stage &s) {
		static stage *here;
		here = &s;
		act(s, 0, STACK9_WAIT_VFORK, 1, [] {
			begin_process(*here, 2, [] {});
			if (vfork() == 0) {
				note(*here, 1, STACK9_WAIT_SIGNAL, -1);
				for (;;)
					pause();
			}
		});
		while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 3)
			usleep(100);
	});
	for (const auto &[tid, f] : check_scene(of))
		if (f.kind == STACK9_WAIT_VFORK)
			BOOST_TEST((f.flags & STACK9_WAIT_ALL_HOLDERS) != 0);
}

// The pipe that was added is open still, but its descriptor is another pipe's.
BOOST_AUTO_TEST_CASE(a_descriptor_that_was_replaced, *needs("bpf") *
    boost::unit_test::description("STACK9_WAIT_EPOLL: holders: the processes "
    "that have the other end"))
{
	for (const bool replaced : {false, true}) {
		scene of([=](stage &s) {
			static int held[2], other[2];
			static int epoll;
			if (pipe(held) != 0)
				_exit(1);
			begin_process(s, 0, [] { close(held[0]); });
			close(held[1]);
			if (pipe(other) != 0)
				_exit(1);
			epoll = epoll_create1(0);
			epoll_event e{};
			e.events = EPOLLIN;
			const int fd = replaced ? other[0] : held[0];
			epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e);
			if (replaced) {
				dup(fd);
				dup2(held[0], fd);
			}
			act(s, 1, STACK9_WAIT_EPOLL, replaced ? -1 : 0, [] {
				epoll_event got;
				epoll_wait(epoll, &got, 1, -1);
			}, true);
		});
		all_found all = check_scene(of);
		BOOST_TEST(all[of.get().actors[1].tid].object.empty() ==
		    replaced);
	}
}

// Numbers in memory and in arguments are of the process's own pid namespace.
BOOST_AUTO_TEST_CASE(a_nested_pid_namespace, *needs("root"))
{
	scene of([](stage &s) {
		static auto *const m = static_cast<pthread_mutex_t *>(mmap(
		    nullptr, 4096, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0));
		static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
		static pid_t child;
		static std::atomic<bool> are_locked;
		pthread_mutexattr_t a;
		pthread_mutexattr_init(&a);
		pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
		pthread_mutex_init(m, &a);
		if (fork() == 0) {	// of the outer namespace
			while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 4)
				usleep(100);
			note(s, 4, STACK9_WAIT_MUTEX, 0);
			pthread_mutex_lock(m);
		}
		if (unshare(CLONE_NEWPID) != 0)
			_exit(1);
		if (fork() == 0) {
			act(s, 0, STACK9_WAIT_SIGNAL, -1, [] {
				pthread_mutex_lock(m);
				pthread_mutex_lock(&own);
				are_locked = true;
			});
			wait_until([] { return are_locked.load(); });
			child = fork();
			if (child == 0) {
				note(s, 1, STACK9_WAIT_MUTEX, 0);
				pthread_mutex_lock(m);
			}
			while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 2)
				usleep(100);
			act(s, 2, STACK9_WAIT_MUTEX, 0,
			    [] { pthread_mutex_lock(&own); });
			act(s, 3, STACK9_WAIT_CHILD, 1,
			    [] { waitpid(child, nullptr, 0); });
			for (;;)
				pause();
		}
		while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 5)
			usleep(100);
	});
	check_scene(of);
}

} // namespace
