// Compares the waits that stack9_waits() finds with those that programs know:
// chains and cycles of mutexes, and the variables that these are.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <string>

#include <pthread.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <stack9_waits.hpp>

#include "check.h"
#include "require.h"

namespace {

namespace data = boost::unit_test::data;

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
