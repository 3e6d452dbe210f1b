// Compares the waits that stack9_waits() finds with those that programs know:
// locks of the C library.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <string>

#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <stack9_waits.hpp>

#include "check.h"
#include "require.h"

namespace {

namespace data = boost::unit_test::data;

struct locks {
	pthread_mutex_t		plain, pi, robust, checked;
	pthread_rwlock_t	written, read;
	pthread_cond_t		condition;
	pthread_barrier_t	barrier;
	sem_t			semaphore;
	pthread_once_t		once;

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
	}
};

void
play_locks(stage &s)
{
	static locks l;
	static pthread_t first;
	static stage *here;
	here = &s;
	static timespec late{4'000'000'000, 0};
	act(s, 0, STACK9_WAIT_SIGNAL, -1, [] {
		l.take_all();
		pause();
	});
	while (pthread_mutex_trylock(&l.plain) == 0) {
		pthread_mutex_unlock(&l.plain);
		usleep(100);
	}
	usleep(50000);		// the first actor takes the rest
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
	act(s, 12, STACK9_WAIT_SIGNAL, -1,
	    [] { pthread_once(&l.once, [] { pause(); }); });
	usleep(50000);
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
BOOST_AUTO_TEST_CASE(without_debug_files, *needs("bpf") * needs("root")
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
		usleep(100000);
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

pthread_mutex_t ring[most_actors];

// Each thread has one mutex and waits for the next one's.
void
play_ring(stage &s, int count, bool closed, bool inherits = false)
{
	static int members, last;
	static pthread_barrier_t all_locked;
	members = count;
	last = closed ? -1 : count - 1;
	pthread_barrier_init(&all_locked, nullptr,
	    static_cast<unsigned int>(count));
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setprotocol(&a, inherits ? PTHREAD_PRIO_INHERIT :
	    PTHREAD_PRIO_NONE);
	const int kind = inherits ? STACK9_WAIT_PI_MUTEX : STACK9_WAIT_MUTEX;
	for (int i = 0; i < count; i++)
		pthread_mutex_init(&ring[i], &a);
	for (int i = 0; i < count; i++)
		act(s, i, i == last ? STACK9_WAIT_SIGNAL : kind,
		    i == last ? -1 : (i + 1) % count, [i] {
			pthread_mutex_lock(&ring[i]);
			pthread_barrier_wait(&all_locked);
			if (i == last)
				pause();
			pthread_mutex_lock(&ring[(i + 1) % members]);
		});
}

BOOST_DATA_TEST_CASE(chains, data::make({2, 3, 20}), depth)
{
	scene of([depth = depth](stage &s) { play_ring(s, depth, false); });
	check_scene(of);
}

BOOST_DATA_TEST_CASE(chains_that_inherit_priority, data::make({2, 10}), depth)
{
	scene of([depth = depth](stage &s) {
		play_ring(s, depth, false, true);
	});
	check_scene(of);
}

struct {
	int		number;
	pthread_mutex_t	mutex;
} counted;

// The variable of a lock is named.
BOOST_AUTO_TEST_CASE(places_of_locks, *needs("bpf"))
{
	scene of([](stage &s) {
		static pthread_mutex_t in_function = PTHREAD_MUTEX_INITIALIZER;
		auto *const in_heap = new pthread_mutex_t(
		    PTHREAD_MUTEX_INITIALIZER);
		note(s, 0, -1, -1);
		pthread_mutex_lock(&ring[2]);
		pthread_mutex_lock(&in_function);
		pthread_mutex_lock(&counted.mutex);
		pthread_mutex_lock(in_heap);
		act(s, 1, STACK9_WAIT_MUTEX, 0,
		    [] { pthread_mutex_lock(&ring[2]); });
		act(s, 2, STACK9_WAIT_MUTEX, 0,
		    [] { pthread_mutex_lock(&in_function); });
		act(s, 3, STACK9_WAIT_MUTEX, 0,
		    [] { pthread_mutex_lock(&counted.mutex); });
		act(s, 4, STACK9_WAIT_MUTEX, 0,
		    [in_heap] { pthread_mutex_lock(in_heap); });
		pthread_mutex_lock(&ring[0]);
		pthread_mutex_lock(&ring[most_actors - 1]);
		act(s, 5, STACK9_WAIT_MUTEX, 0,
		    [] { pthread_mutex_lock(&ring[most_actors - 1]); });
		act(s, 6, STACK9_WAIT_MUTEX, 0,
		    [] { pthread_mutex_lock(&ring[0]); });
	});
	all_found all = check_scene(of);
	const auto place = [&](int n) {
		return all[of.get().actors[n].tid].place;
	};
	BOOST_TEST(place(1) == "(anonymous namespace)::ring+0x50 of "
	    "test_waits");
	BOOST_TEST((place(2).find("::in_function of test_waits") !=
	    std::string::npos));
	BOOST_TEST(place(3) == "(anonymous namespace)::counted+0x8 of "
	    "test_waits");
	BOOST_TEST(place(4) == "heap");
	BOOST_TEST(place(5) == "(anonymous namespace)::ring+0x9d8 of "
	    "test_waits");
	BOOST_TEST(place(6) == "(anonymous namespace)::ring of test_waits");
}

// The C++ face of the same.
BOOST_AUTO_TEST_CASE(waits_as_values, *needs("bpf"))
{
	scene of([](stage &s) { play_ring(s, 2, true); });
	check_scene(of);
	const auto samples = stack9::save_all(stack9::thread::find(of.pid()));
	std::size_t edges = 0;
	for (const stack9::wait &w : stack9::waits_of(samples))
		for (const stack9::holder &h : w.holders) {
			BOOST_TEST((w.kind == stack9::wait_kind::mutex &&
			    h.role == stack9::role::owner && !h.process &&
			    w.all_holders && !w.timed));
			BOOST_TEST((h.thread.pid() == of.pid() &&
			    h.thread != w.of.thread()));
			edges++;
		}
	BOOST_TEST(edges == 2u);
	BOOST_TEST(stack9::text(stack9::wait_kind::mutex) == "mutex");
}

BOOST_DATA_TEST_CASE(cycles, data::make({2, 3, 7, 20, 50}), length)
{
	scene of([length = length](stage &s) { play_ring(s, length, true); });
	check_scene(of);
	for (const auto &[tid, f] : waits_of({of.pid()}))
		if (f.kind == STACK9_WAIT_MUTEX)
			BOOST_TEST((f.flags & STACK9_WAIT_ALL_HOLDERS) != 0);
}

BOOST_AUTO_TEST_CASE(arguments)
{
	all_found all;
	BOOST_TEST(stack9_waits(nullptr, 0, 0, add_wait, &all) == 0);
	BOOST_TEST(stack9_waits(nullptr, 1, 0, add_wait, &all) == EINVAL);
	BOOST_TEST(stack9_waits(nullptr, 0, 1, add_wait, &all) == EINVAL);
	BOOST_TEST(stack9_waits(nullptr, 0, 0, nullptr, &all) == EINVAL);
	BOOST_TEST(stack9_wait_text(STACK9_WAIT_MUTEX) == "mutex");
	BOOST_TEST(stack9_wait_text(-1) == "unknown");
	BOOST_TEST(stack9_wait_text(1000) == "unknown");
}

} // namespace
