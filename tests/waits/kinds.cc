// Compares waits with those that programs know: the rarer kinds, and deadlocks
// of processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cerrno>
#include <cstdint>

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "check.h"
#include "require.h"

namespace {

namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_CASE(rarer_kinds, *needs("bpf"))
{
	scene of([](stage &s) {
		static int ring, event, from[2], to[2];
		static std::uint32_t word;
		io_uring_params p{};
		ring = static_cast<int>(syscall(SYS_io_uring_setup, 4, &p));
		event = eventfd(0, 0);
		if (event < 0 || pipe(from) != 0 || pipe(to) != 0)
			_exit(1);
		note(s, 0, STACK9_WAIT_SIGNAL, -1);
		// Some machines forbid io_uring.
		act(s, 1, ring < 0 ? STACK9_WAIT_SIGNAL : STACK9_WAIT_IO_URING,
		    -1, [] {
			// Work of the kernel's for the thread interrupts it.
			while (ring >= 0 && syscall(SYS_io_uring_enter, ring,
			    0, 1, IORING_ENTER_GETEVENTS, nullptr, 0) < 0 &&
			    errno == EINTR)
				;
		});
		act(s, 2, STACK9_WAIT_DESCRIPTOR, -1, [] {
			std::uint64_t count;
			(void)!read(event, &count, sizeof count);
		});
		act(s, 3, STACK9_WAIT_POLL, -1, [] {
			fd_set set;
			FD_ZERO(&set);
			FD_SET(event, &set);
			select(event + 1, &set, nullptr, nullptr, nullptr);
		});
		act(s, 4, STACK9_WAIT_SYSCALL, -1,
		    [] { tee(from[0], to[1], 1, 0); });
		act(s, 5, STACK9_WAIT_FUTEX, -1, [] {
			syscall(SYS_futex, &word, FUTEX_WAIT, 0, nullptr,
			    nullptr, 0);
		});
		act(s, 6, STACK9_WAIT_SIGNAL, -1, [] {
			sigset_t set;
			int got;
			sigemptyset(&set);
			sigaddset(&set, SIGUSR1);
			sigprocmask(SIG_BLOCK, &set, nullptr);
			sigwait(&set, &got);
		});
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			note(s, 7, STACK9_WAIT_STOPPED, -1);
			raise(SIGSTOP);
			_exit(0);
		}
		while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 8)
			usleep(100);
		act(s, 8, STACK9_WAIT_CHILD, 7, [] {
			siginfo_t info;
			waitid(P_ALL, 0, &info, WEXITED);
		});
	});
	for (const auto &[tid, f] : check_scene(of))
		if (f.kind == STACK9_WAIT_POLL ||
		    f.kind == STACK9_WAIT_DESCRIPTOR)
			BOOST_TEST((f.object.find("[eventfd]") !=
			    f.object.npos), f.object);
}

struct shared_ring {
	pthread_mutex_t		mutexes[50];
	std::atomic<int>	locked;
};

// Each process has one mutex and waits for that of the next one.
BOOST_TEST_DECORATOR(*needs("bpf"))
BOOST_DATA_TEST_CASE(cycles_of_processes, data::make({2, 12}) *
    data::make({PTHREAD_MUTEX_STALLED, PTHREAD_MUTEX_ROBUST}), length,
    robustness)
{
	scene of([length = length, robustness = robustness](stage &s) {
		auto *const ring = new (mmap(nullptr, sizeof(shared_ring),
		    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		    0)) shared_ring{};
		pthread_mutexattr_t a;
		pthread_mutexattr_init(&a);
		pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
		pthread_mutexattr_setrobust(&a, robustness);
		for (pthread_mutex_t &m : ring->mutexes)
			pthread_mutex_init(&m, &a);
		for (int i = 0; i < length; i++) {
			if (fork() != 0)
				continue;
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			note(s, i, STACK9_WAIT_MUTEX, (i + 1) % length);
			pthread_mutex_lock(&ring->mutexes[i]);
			ring->locked++;
			while (ring->locked < length)
				usleep(100);
			pthread_mutex_lock(&ring->mutexes[(i + 1) % length]);
			_exit(1);
		}
		while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < length)
			usleep(100);
	});
	for (const auto &[tid, f] : check_scene(of))
		if (f.kind == STACK9_WAIT_MUTEX)
			BOOST_TEST((f.flags & STACK9_WAIT_ALL_HOLDERS) != 0);
}

} // namespace
