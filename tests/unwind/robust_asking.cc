// Tests how often a warm capture asks the system for a page: never on the
// stack that its thread was started on, hardly ever from a handler on another.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <initializer_list>
#include <vector>

#include <pthread.h>
#include <signal.h>

#include "core/seam/record.h"
#include "robust_child.h"
#include "robust_counts.h"
#include "robust_truth.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(asking)

namespace {

constexpr int until_warm = 10;
constexpr std::uint64_t captures = 200;

// Calls last() from so many frames of 64 KiB each.
[[gnu::noinline]] void
far_down(unsigned int calls, void (*last)())
{
	char frame[65536];
	keep(frame);
	if (calls == 0)
		last();
	else
		far_down(calls - 1, last);
	keep(frame);
}

void
on_a_thread(std::size_t stack, void *(*body)(void *), const void *arg)
{
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, stack);
	pthread_t thread;
	must(pthread_create(&thread, &attr, body, const_cast<void *>(arg)) == 0,
	    "a thread can be made");
	pthread_join(thread, nullptr);
	pthread_attr_destroy(&attr);
}

[[gnu::noinline]] void
capture()
{
	static frames f;
	static stack9::stack_record rec;
	OUR_FRAMES(f, rec);
	must(rec.error == 0 && rec.why == STACK9_WHY_NONE, "all is found");
}

void
must_not_ask()
{
	must_agree("far down");
	for (int i = 0; i < until_warm; i++)
		capture();
	const std::uint64_t before = count_of("probes");
	for (std::uint64_t i = 0; i < captures; i++)
		capture();
	if (const std::uint64_t asked = count_of("probes") - before; asked != 0)
		broken("%lu captures ask %lu times", captures, asked);
	must_agree("far down, again");
}

using depths = std::vector<unsigned int>;	// in 64 KiB

void *
capture_at(void *arg)
{
	for (unsigned int calls : *static_cast<const depths *>(arg))
		far_down(calls, must_not_ask);
	return nullptr;
}

// The first capture does not matter.  The depths are 0, 640 KiB, 4 and 7 MiB.
void
capture_far_down()
{
	for (const depths &d : std::initializer_list<depths>{{0, 10, 64, 112, 0,
	    64}, {0, 112, 0}, {112, 0, 112}, {64, 112, 0}})
		on_a_thread(std::size_t{8} << 20, capture_at, &d);
	const depths d{0, 64, 10, 112, 64};
	on_a_thread(std::size_t{48} << 20, capture_at, &d);
}

void
agree_in_handler(int)
{
	must_agree("in a handler on another stack");
}

void
capture_in_handler(int)
{
	capture();
}

void
handle(int signo, void (*handler)(int))
{
	struct sigaction act{};
	act.sa_handler = handler;
	act.sa_flags = SA_ONSTACK;
	must(sigaction(signo, &act, nullptr) == 0, "a handler is installed");
}

// The handler's own stack, and what lies between it and the thread's.
void
must_hardly_ask()
{
	constexpr std::uint64_t few = 8;
	raise(SIGUSR1);
	for (int i = 0; i < until_warm; i++)
		raise(SIGUSR2);
	const std::uint64_t before = count_of("probes");
	for (std::uint64_t i = 0; i < captures; i++)
		raise(SIGUSR2);
	const std::uint64_t asked = count_of("probes") - before;
	tell("%lu captures from a handler ask %lu times", captures, asked);
	if (asked > few * captures)
		broken("%lu captures ask %lu times", captures, asked);
	raise(SIGUSR1);
}

struct profiled {
	bool	first_own;	// the first capture is the thread's own
	depths	calls;
};

void *
capture_profiled(void *arg)
{
	const auto &p = *static_cast<const profiled *>(arg);
	static char memory[65536];
	const stack_t ss{memory, 0, sizeof memory};
	must(sigaltstack(&ss, nullptr) == 0, "the stack is accepted");
	if (p.first_own)
		must_agree("before");
	for (unsigned int calls : p.calls)
		far_down(calls, must_hardly_ask);
	return nullptr;
}

void
capture_from_handlers(void (*run)(const profiled &))
{
	handle(SIGUSR1, agree_in_handler);
	handle(SIGUSR2, capture_in_handler);
	for (bool first_own : {false, true})
		for (const depths &d : std::initializer_list<depths>{{0, 25, 64,
		    0, 64}, {64, 0, 64}})
			run({first_own, d});
}

} // namespace

BOOST_AUTO_TEST_CASE(a_warm_capture_far_down_its_stack_asks_nothing,
    *description("It makes no system call once warm, on the stack that the "
    "thread was started on"))
{
	BOOST_TEST(in_child(capture_far_down) == "");
}

BOOST_AUTO_TEST_CASE(handlers_on_another_stack_hardly_ask_on_a_thread)
{
	BOOST_TEST(in_child([] {
		capture_from_handlers([](const profiled &p) {
			on_a_thread(std::size_t{8} << 20, capture_profiled, &p);
		});
	}) == "");
}

BOOST_AUTO_TEST_CASE(handlers_on_another_stack_hardly_ask_on_the_first_thread)
{
	// In children: each has a fresh start.
	BOOST_TEST(in_child([] {
		capture_from_handlers([](const profiled &p) {
			const std::string said = in_child([&] {
				capture_profiled(const_cast<profiled *>(&p));
			});
			must(said == "", said.c_str());
		});
	}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
