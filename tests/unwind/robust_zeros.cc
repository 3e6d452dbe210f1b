// Tests that a stack which zeros were written over is not called complete.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "own_save.h"
#include "robust_spoiled.h"

#include <boost/test/unit_test.hpp>

#include <thread>
#include <utility>

#include <stack9_coroutines.h>

#include "robust_fiber.h"
#include "robust_truth.h"

BOOST_AUTO_TEST_SUITE(zeros_over_stacks)

namespace {

frames seen_here;
stack9::stack_record got;

// An overflow writes zeros over a few frames.
void
zeros(void *)
{
	auto *const frame = static_cast<std::uintptr_t *>(
	    __builtin_frame_address(0));
	std::uintptr_t *const third = frame_at(frame, 3);
	const spoiled kept(third, third + 8);
	std::fill(third, third + 8, 0);
	OUR_FRAMES(seen_here, got);
	must(got.error == 0 && got.depth >= 3, "what is before it is found");
	must(got.why == STACK9_WHY_UNWIND, "it is not told as complete");
}

#ifdef __x86_64__
// A frame pointer is written over, and leads to the last words of the stack's
// memory: a 0 where a return address would be, and not the frame pointer that
// the outermost frame has.
int
why_at_end(void *end)
{
	auto *const frame = static_cast<std::uintptr_t *>(
	    __builtin_frame_address(0));
	auto *const last = static_cast<std::uintptr_t *>(end) - 2;
	std::uintptr_t *const third = frame_at(frame, 3);
	const spoiled led(third, third + 1), there(last, last + 2);
	*third = reinterpret_cast<std::uintptr_t>(last);
	last[0] = 1;
	last[1] = 0;
	OUR_FRAMES(seen_here, got);
	must(got.error == 0 && got.depth >= 3, "what is before it is found");
	return got.why;
}

void
led_to_end(void *end)
{
	must(why_at_end(end) == STACK9_WHY_UNWIND, "it is not told as "
	    "complete");
}

void
led_to_reported_end(void *end)
{
	must(why_at_end(end) == STACK9_WHY_NONE, "where its stack ends was "
	    "told");
}

void
under_coroutine(bool reports, void (*last)(void *))
{
	fiber::memory m(32768);
	char *const low = m.begin();
	const std::size_t size = m.size();
	// A thread that has not captured takes no note.
	OUR_FRAMES(seen_here, got);
	fiber f(std::move(m), [=] {
		stack9_switch_stack(low, reports ? size : 0);
		under_by_fp(10, last, low + size);
		stack9_switch_stack(nullptr, 0);
	});
	f.resume();
}
#endif

} // namespace

BOOST_AUTO_TEST_CASE(a_return_address_of_0_is_no_outermost_frame)
{
	BOOST_TEST(in_child([] { under_by_fp(10, zeros, nullptr); }) == "");
	BOOST_TEST(in_child([] {
		std::thread([] { under_by_fp(10, zeros, nullptr); }).join();
	}) == "");
}

#ifdef __x86_64__
BOOST_AUTO_TEST_CASE(nor_is_one_that_a_spoiled_frame_pointer_leads_to)
{
	BOOST_TEST(in_child([] { under_coroutine(false, led_to_end); }) == "");
	BOOST_TEST(in_child([] {
		under_coroutine(true, led_to_reported_end);
	}) == "");
}
#endif

BOOST_AUTO_TEST_SUITE_END()
