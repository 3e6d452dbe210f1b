// Tests exceptions, cancellation and longjmp(3) in a program with the library.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <stdexcept>
#include <string>

#include <pthread.h>
#include <sys/time.h>
#include <unistd.h>

#include "frames.h"

using namespace preload_test;

namespace {

int destroyed;
struct counted {
	~counted() { destroyed++; }
};

[[gnu::noinline]] void
throw_through(int n)
{
	const counted c;
	if (n == 0) {
		capture_by(backtrace);
		throw std::runtime_error("thrown");
	}
	throw_through(n - 1);
}

_Unwind_Reason_Code
throw_from_trace(_Unwind_Context *c, void *arg)
{
	int &left = *static_cast<int *>(arg);
	if (_Unwind_GetIP(c) != 0 && --left == 0)
		throw std::string("from the function");
	return _URC_NO_REASON;
}

std::atomic<int> captures, short_captures;

_Unwind_Reason_Code
count_frame(_Unwind_Context *c, void *arg)
{
	int &n = *static_cast<int *>(arg);
	if (_Unwind_GetIP(c) != 0 && _Unwind_GetCFA(c) != 0)
		n++;
	return _URC_NO_REASON;
}

void
capture_both(int)
{
	void *raw[64];
	int n = 0;
	_Unwind_Backtrace(count_frame, &n);
	if (backtrace(raw, 64) < 3 || n < 3)
		short_captures++;
	captures++;
}

// Sends one signal, so that the thread goes on even where the handler takes
// longer than such a time.
void
wake_after(int us)
{
	const itimerval once{{0, 0}, {0, us}};
	setitimer(ITIMER_REAL, &once, nullptr);
}

std::jmp_buf back;

_Unwind_Reason_Code
jump_from_trace(_Unwind_Context *, void *)
{
	std::longjmp(back, 1);
}

bool cleaned;

void *
wait_to_be_cancelled(void *)
{
	pthread_cleanup_push([](void *) { cleaned = true; }, nullptr);
	const counted c;
	capture_by(backtrace);
	for (;;)
		pause();
	pthread_cleanup_pop(0);
	return nullptr;
}

} // namespace

BOOST_AUTO_TEST_SUITE(exceptions)

BOOST_AUTO_TEST_CASE(are_thrown_and_caught, *boost::unit_test::description(
    "Exceptions pass through programs as before: libgcc throws, unwinds and "
    "catches them.  The calls that read a context pass on each context that is "
    "not of a capture."))
{
	for (int i = 0; i < 1000; i++) {
		destroyed = 0;
		std::string what;
		try {
			throw_through(20);
		} catch (const std::logic_error &) {
			what = "wrong";
		} catch (const std::runtime_error &e) {
			what = e.what();
		}
		BOOST_REQUIRE_EQUAL(what, "thrown");
		BOOST_REQUIRE_EQUAL(destroyed, 21);
	}
}

// libgcc's own _Unwind_Backtrace() faults where a signal comes while it
// installs the context of a handler.
BOOST_AUTO_TEST_CASE(under_signals, *boost::unit_test::description(
    "backtrace, unw_backtrace, _Unwind_Backtrace and backtrace_symbols_fd are "
    "async-signal-safe from the first call on.  Exceptions pass through "
    "programs as before: libgcc throws, unwinds and catches them."))
{
	struct sigaction sa{}, before;
	sa.sa_handler = capture_both;
	sa.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &sa, &before);
	captures = 0;
	int caught = 0, thrown = 0, started = -1;
	for (; captures < 2000 && thrown < 10000000; thrown++) {
		if (const int n = captures; n != started) {
			started = n;
			wake_after(1 + n % 400);
		}
		try {
			throw_through(12);
		} catch (const std::runtime_error &) {
			caught++;
		}
	}
	const itimerval never{};
	setitimer(ITIMER_REAL, &never, nullptr);
	sigaction(SIGALRM, &before, nullptr);
	BOOST_TEST(caught == thrown);
	BOOST_TEST(captures >= 2000);
	BOOST_TEST(short_captures == 0);
}

BOOST_AUTO_TEST_CASE(of_the_function, *boost::unit_test::description(
    "A function given to _Unwind_Backtrace may throw an exception, and the "
    "program can catch it."))
{
	for (int at : {1, 3}) {
		std::string caught;
		try {
			_Unwind_Backtrace(throw_from_trace, &at);
		} catch (const std::string &s) {
			caught = s;
		}
		BOOST_TEST(caught == "from the function");
	}
	BOOST_TEST(capture_by(backtrace).size() > 3);
}

BOOST_AUTO_TEST_CASE(a_jump_out_of_the_function)
{
	for (int i = 0; i < 10; i++)
		if (setjmp(back) == 0)
			_Unwind_Backtrace(jump_from_trace, nullptr);
	BOOST_TEST(capture_by(backtrace).size() > 3);
}

BOOST_AUTO_TEST_CASE(cancellation, *boost::unit_test::description(
    "A thread can be cancelled, and its cleanup handlers run."))
{
	pthread_t thread;
	destroyed = 0;
	cleaned = false;
	BOOST_REQUIRE(pthread_create(&thread, nullptr, wait_to_be_cancelled,
	    nullptr) == 0);
	pthread_cancel(thread);
	void *result;
	pthread_join(thread, &result);
	BOOST_TEST(result == PTHREAD_CANCELED);
	BOOST_TEST((cleaned || destroyed == 0));
	BOOST_TEST(destroyed == static_cast<int>(cleaned));
}

BOOST_AUTO_TEST_SUITE_END()
