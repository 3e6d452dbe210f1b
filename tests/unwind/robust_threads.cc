// Tests captures on new threads, on ending ones, and on very many.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdio>
#include <vector>

#include <pthread.h>
#include <unistd.h>

#include "robust_child.h"
#include "robust_truth.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(threads)

namespace {

constexpr int in_turn = 3000;
constexpr int at_once = 1500;

void
agree(void *)
{
	must_agree("on a thread");
}

pthread_t
start(void *(*body)(void *), void *arg)
{
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	pthread_t thread;
	must(pthread_create(&thread, &attr, body, arg) == 0,
	    "a thread can be made");
	pthread_attr_destroy(&attr);
	return thread;
}

// Pages of address space and of memory.
struct size {
	long	space = 0, resident = 0;
};

size
size_now()
{
	size s;
	std::FILE *const f = std::fopen("/proc/self/statm", "r");
	must(f != nullptr && std::fscanf(f, "%ld %ld", &s.space,
	    &s.resident) == 2, "/proc/self/statm can be read");
	std::fclose(f);
	return s;
}

void *
capture_at_depth(void *depth)
{
	const auto calls = reinterpret_cast<std::uintptr_t>(depth);
	under(static_cast<unsigned int>(calls), agree, nullptr);
	return nullptr;
}

void
threads_in_turn()
{
	size before;
	for (std::uintptr_t i = 0; i < in_turn; i++) {
		if (i == 100)
			before = size_now();
		pthread_join(start(capture_at_depth,
		    reinterpret_cast<void *>(i % 30)), nullptr);
	}
	const size after = size_now();
	tell("%ld pages of address space more, %ld of memory",
	    after.space - before.space, after.resident - before.resident);
	must(after.space - before.space < 512 &&
	    after.resident - before.resident < 512,
	    "what a thread took it has left");
}

pthread_barrier_t all_there;

void *
capture_together(void *depth)
{
	pthread_barrier_wait(&all_there);
	for (int i = 0; i < 5; i++)
		capture_at_depth(depth);
	pthread_barrier_wait(&all_there);
	capture_at_depth(depth);
	return nullptr;
}

void
threads_at_once()
{
	pthread_barrier_init(&all_there, nullptr, at_once);
	std::vector<pthread_t> all;
	for (std::uintptr_t i = 0; i < at_once; i++)
		all.push_back(start(capture_together,
		    reinterpret_cast<void *>(i % 30)));
	for (pthread_t thread : all)
		pthread_join(thread, nullptr);
}

pthread_key_t key;
std::atomic<int> last_words{0};

// Asks to be called again, as often as the threads library will.
void
capture_in_destructor(void *left)
{
	must_agree("in a key's destructor");
	last_words++;
	const auto n = reinterpret_cast<std::uintptr_t>(left);
	if (n > 1)
		pthread_setspecific(key, reinterpret_cast<void *>(n - 1));
}

struct parting {
	~parting()
	{
		must_agree("in a thread_local's destructor");
		last_words++;
	}
};

void *
capture_to_the_last(void *)
{
	static thread_local parting p;
	static_cast<void>(&p);
	pthread_setspecific(key, reinterpret_cast<void *>(4));
	must_agree("on a thread");
	return nullptr;
}

void
threads_that_end()
{
	// Keys made after the library's first capture, and so perhaps after its
	// own: its destructor has run when ours do.
	must_agree("before");
	pthread_key_create(&key, capture_in_destructor);
	for (int i = 0; i < 100; i++)
		pthread_join(start(capture_to_the_last, nullptr), nullptr);
	must(last_words == 100 * 5, "destructors have captured");
}

} // namespace

BOOST_AUTO_TEST_CASE(three_thousand_threads_in_turn_capture_and_leave_nothing)
{
	BOOST_TEST(in_child(threads_in_turn) == "");
}

BOOST_AUTO_TEST_CASE(fifteen_hundred_threads_capture_at_once)
{
	BOOST_TEST(in_child(threads_at_once, 120) == "");
}

BOOST_AUTO_TEST_CASE(a_thread_captures_to_its_last_destructor)
{
	BOOST_TEST(in_child(threads_that_end) == "");
}

BOOST_AUTO_TEST_SUITE_END()
