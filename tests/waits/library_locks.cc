// Compares the waits that stack9_waits() finds with those that programs know:
// locks of the C library.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <string>

#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "lib/queued.h"
#include "check.h"
#include "require.h"
#include "victim.h"

using boost::unit_test::description;

namespace {

struct locks {
	pthread_mutex_t		plain, pi, robust, checked;
	pthread_rwlock_t	written, read;
	pthread_cond_t		condition;
	pthread_barrier_t	barrier;
	sem_t			semaphore;
	pthread_once_t		once;
	std::atomic<bool>	are_taken{false};

	explicit
	locks(bool shared = false)
	{
		const int across = shared ? PTHREAD_PROCESS_SHARED :
		    PTHREAD_PROCESS_PRIVATE;
		pthread_mutexattr_t a;
		pthread_mutexattr_init(&a);
		pthread_mutexattr_setpshared(&a, across);
		pthread_mutex_init(&plain, &a);
		pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
		pthread_mutex_init(&pi, &a);
		pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_NONE);
		pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
		pthread_mutex_init(&checked, &a);
		pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
		pthread_mutex_init(&robust, &a);
		pthread_rwlockattr_t r;
		pthread_rwlockattr_init(&r);
		pthread_rwlockattr_setpshared(&r, across);
		pthread_rwlock_init(&written, &r);
		pthread_rwlock_init(&read, &r);
		pthread_cond_init(&condition, nullptr);
		pthread_barrier_init(&barrier, nullptr, 2);
		sem_init(&semaphore, shared, 0);
		once = PTHREAD_ONCE_INIT;
	}

	void
	take_all()
	{
		pthread_mutex_lock(&plain);
		pthread_mutex_lock(&pi);
		pthread_mutex_lock(&checked);
		pthread_mutex_lock(&robust);
		pthread_rwlock_wrlock(&written);
		pthread_rwlock_rdlock(&read);
		are_taken = true;
	}

	void
	wait_until_taken() const
	{
		wait_until([this] { return are_taken.load(); });
	}
};

void
play_locks(stage &s)
{
	static locks l;
	static pthread_t first;
	static std::atomic<bool> is_initializing;
	static stage *here;
	here = &s;
	static timespec late{4'000'000'000, 0};
	act(s, 0, STACK9_WAIT_SIGNAL, -1, [] {
		l.take_all();
		pause();
	});
	l.wait_until_taken();
	act(s, 1, STACK9_WAIT_MUTEX, 0,
	    [] { pthread_mutex_lock(&l.plain); });
	act(s, 2, STACK9_WAIT_PI_MUTEX, 0,
	    [] { pthread_mutex_lock(&l.pi); });
	act(s, 3, STACK9_WAIT_MUTEX, 0,
	    [] { pthread_mutex_lock(&l.robust); });
	act(s, 4, STACK9_WAIT_MUTEX, 0,
	    [] { pthread_mutex_timedlock(&l.plain, &late); });
	act(s, 5, STACK9_WAIT_RWLOCK_READ, 0,
	    [] { pthread_rwlock_rdlock(&l.written); });
	act(s, 6, STACK9_WAIT_RWLOCK_WRITE, 0,
	    [] { pthread_rwlock_wrlock(&l.written); });
	act(s, 7, STACK9_WAIT_RWLOCK_WRITE, -1,
	    [] { pthread_rwlock_wrlock(&l.read); });
	pthread_create(&first, nullptr, [](void *) -> void * {
		note(*here, 15, STACK9_WAIT_SIGNAL, -1);
		for (;;)
			pause();
	}, nullptr);
	act(s, 8, STACK9_WAIT_JOIN, 15,
	    [] { pthread_join(first, nullptr); });
	act(s, 9, STACK9_WAIT_CONDITION, -1, [] {
		pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
		pthread_mutex_lock(&m);
		pthread_cond_wait(&l.condition, &m);
	});
	act(s, 10, STACK9_WAIT_SEMAPHORE, -1,
	    [] { sem_wait(&l.semaphore); });
	act(s, 11, STACK9_WAIT_BARRIER, -1,
	    [] { pthread_barrier_wait(&l.barrier); });
	act(s, 12, STACK9_WAIT_SIGNAL, -1, [] {
		pthread_once(&l.once, [] {
			is_initializing = true;
			pause();
		});
	});
	wait_until([] { return is_initializing.load(); });
	act(s, 13, STACK9_WAIT_ONCE, -1,
	    [] { pthread_once(&l.once, [] { }); });
	act(s, 14, STACK9_WAIT_MUTEX, 0,
	    [] { pthread_mutex_lock(&l.checked); });
}

BOOST_AUTO_TEST_CASE(each_lock_of_the_c_library, *needs("bpf"))
{
	scene of(play_locks);
	check_scene(of);
}

// A debug file that has been read names local functions, so the test above runs
// again in a process of its own.
BOOST_AUTO_TEST_CASE(without_debug_files, *needs("bpf") * needs("mounts")
    * description("No debug file is needed."))
{
	char self[4096]{};
	BOOST_REQUIRE(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
	const std::string command = "exec unshare -m sh -c '[ ! -d "
	    "/usr/lib/debug ] || mount -t tmpfs none /usr/lib/debug && exec "
	    "\"$0\" --run_test=each_lock_of_the_c_library' " +
	    std::string(self);
	BOOST_TEST(std::system(command.c_str()) == 0);
}

BOOST_AUTO_TEST_CASE(each_lock_by_proc, *needs("ptrace"))
{
	BOOST_REQUIRE_EQUAL(stack9_force("procfs"), 0);
	scene of([](stage &s) {
		static locks l;
		act(s, 0, -1, -1, [] {
			l.take_all();
			pause();
		});
		l.wait_until_taken();
		act(s, 1, STACK9_WAIT_MUTEX, 0,
		    [] { pthread_mutex_lock(&l.plain); });
		act(s, 2, STACK9_WAIT_PI_MUTEX, 0,
		    [] { pthread_mutex_lock(&l.pi); });
		act(s, 3, STACK9_WAIT_RWLOCK_READ, 0,
		    [] { pthread_rwlock_rdlock(&l.written); });
	});
	check_scene(of);
	stack9_force(nullptr);
}

// A process that locks, and another one that waits.
BOOST_AUTO_TEST_CASE(locks_that_processes_share, *needs("bpf"))
{
	scene of([](stage &s) {
		static locks *const l = new (mmap(nullptr, sizeof(locks),
		    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		    0)) locks(true);
		note(s, 0, STACK9_WAIT_SIGNAL, -1);
		l->take_all();
		if (fork() == 0) {
			act(s, 1, STACK9_WAIT_MUTEX, 0,
			    [] { pthread_mutex_lock(&l->plain); });
			act(s, 2, STACK9_WAIT_PI_MUTEX, 0,
			    [] { pthread_mutex_lock(&l->pi); });
			act(s, 3, STACK9_WAIT_MUTEX, 0,
			    [] { pthread_mutex_lock(&l->robust); });
			act(s, 4, STACK9_WAIT_RWLOCK_READ, 0,
			    [] { pthread_rwlock_rdlock(&l->written); });
			act(s, 5, STACK9_WAIT_SEMAPHORE, -1,
			    [] { sem_wait(&l->semaphore); });
			for (;;)
				pause();
		}
		while (__atomic_load_n(&s.count, __ATOMIC_SEQ_CST) < 6)
			usleep(100);
	});
	check_scene(of);
}

// The owner of a plain mutex has ended: nobody is named.
BOOST_AUTO_TEST_CASE(a_dead_owner_is_none, *needs("bpf"))
{
	scene of([](stage &s) {
		static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
		pthread_t t;
		pthread_create(&t, nullptr, [](void *) -> void * {
			pthread_mutex_lock(&m);
			return nullptr;
		}, nullptr);
		pthread_join(t, nullptr);
		act(s, 0, STACK9_WAIT_MUTEX, -1,
		    [] { pthread_mutex_lock(&m); });
	});
	check_scene(of);
}

// A new thread that is given the tid of a dead owner is what this lock seems to
// name.
BOOST_AUTO_TEST_CASE(owners_are_older_than_waits, *needs("bpf") *
    description("BUGS: A thread that began after the wait is no owner, and "
    "reason says so;"))
{
	scene of([](stage &s) {
		static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
		static int newborn;
		const auto uptime = [] {
			timespec t{};
			clock_gettime(CLOCK_BOOTTIME, &t);
			return t.tv_sec * 1000 + t.tv_nsec / 1'000'000;
		};
		note(s, 0, STACK9_WAIT_SIGNAL, -1);
		pthread_mutex_lock(&m);
		act(s, 1, STACK9_WAIT_MUTEX, -1, [] {
			pthread_mutex_lock(&m);
		});
		const pid_t blocked = s.actors[1].tid;
		wait_until([=] {
			return state_of(blocked) == 'S' &&
			    is_in_call(blocked, SYS_futex);
		});
		// Starts of threads are known in ticks.
		const long before = uptime();
		wait_until([=] { return uptime() > before + 50; });
		act(s, 2, STACK9_WAIT_SIGNAL, -1, [] {
			__atomic_store_n(&newborn, gettid(), __ATOMIC_SEQ_CST);
		});
		wait_until([] {
			return __atomic_load_n(&newborn, __ATOMIC_SEQ_CST) !=
			    0;
		});
		m.__data.__owner = newborn;
	});
	all_found all = check_scene(of);
	const found &f = all[of.get().actors[1].tid];
	BOOST_TEST((f.reason.find("began after the wait") != f.reason.npos),
	    f.reason);
}

} // namespace
