// Tests frames that nothing describes.  They are passed by their frame pointer
// if they have one, and never without a word.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

#include <setjmp.h>
#include <signal.h>

#include "harness.h"

namespace bdata = boost::unit_test::data;
using boost::unit_test::description;

namespace {

// A thread in code that nothing describes; glibc does not get out of there,
// so its frames are known by their own word, and glibc's from there on.
struct undescribed {
	undescribed(victim::way how, deed what, void (*call)(orders &))
	    : v([this, how, call](orders &o) {
		    note_truth(rest, RETURN_ADDRESS());
		    o.call = call;
		    how(o);
		    asm volatile("" ::: "memory");
	    }, what) {}

	std::vector<std::uintptr_t>
	truth() const
	{
		std::vector<std::uintptr_t> all(v.order.returns.begin(),
		    v.order.returns.end());
		all.insert(all.end(), rest.begin(), rest.end());
		return all;
	}

	std::vector<std::uintptr_t>	rest;
	victim				v;
};

void
save(const char *route, capture &c, const victim &v)
{
	int error;
	if (route == std::string("registers"))
		v.await_sleep();
	do
		error = c.save(route_named(route), v.thread());
	while (error == EAGAIN);
	BOOST_REQUIRE(error == 0);
}

void
check_passed(const capture &c, const undescribed &u)
{
	const auto truth = u.truth();
	BOOST_TEST(c.rec.why == STACK9_WHY_NONE);
	BOOST_TEST(c.rec.flags ==
	    (STACK9_STACK_EXACT | STACK9_STACK_GUESSED));
	BOOST_TEST_INFO(hex(c.frames()));
	BOOST_TEST(behind(c.frames(), truth[0]) == truth,
	    boost::test_tools::per_element());
}

// The frames that are there are right, and a lack of others is reported.
void
check_reported(const capture &c, const undescribed &u)
{
	const auto truth = u.truth();
	const auto first = std::find_first_of(c.room.begin(),
	    c.room.begin() + c.rec.depth, truth.begin(), truth.end());
	BOOST_TEST_INFO(hex(c.frames()));
	BOOST_TEST((c.rec.why == STACK9_WHY_UNWIND ||
	    (c.rec.flags & STACK9_STACK_GUESSED) != 0));
	auto from = truth.begin();
	for (auto pc = first; pc != c.room.begin() + c.rec.depth; ++pc) {
		from = std::find(from, truth.end(), *pc);
		BOOST_TEST((from != truth.end()));
	}
}

// One thread at a time calls what is not there.
std::uintptr_t wild, wild_caller;
orders *afterwards;
sigjmp_buf out;

[[gnu::noinline]] void
call_nothing()
{
	void (*volatile nothing)() = reinterpret_cast<void (*)()>(wild);
	wild_caller = RETURN_ADDRESS();
	nothing();
	asm volatile("" ::: "memory");
}

// Not by obey(): libgcc reads the instructions at that pc, and faults.
void
stay_in_handler(int)
{
	afterwards->ready = true;
	if (afterwards->what == deed::read)
		lean::save_fp_and_read(*afterwards);
	while (afterwards->word == 0)
		afterwards->rounds++;
	siglongjmp(out, 1);
}

void
fault(orders &o)
{
	struct sigaction s{}, before;
	afterwards = &o;
	s.sa_handler = stay_in_handler;
	sigaction(SIGSEGV, &s, &before);
	if (sigsetjmp(out, 1) == 0)
		call_nothing();
	sigaction(SIGSEGV, &before, nullptr);
}

const struct {
	const char	*route;
	deed		 what;
} ways[] = {{"registers", deed::read}, {"signal", deed::spin}};

} // namespace

BOOST_AUTO_TEST_CASE(a_running_thread_gets_past_code_with_a_frame_pointer_only,
    *description("STACK9_STACK_GUESSED if a frame without unwind information "
    "was passed by its frame pointer"))
{
	if (!signals_arrive)
		return;
	const undescribed u(bare::obey, deed::spin, nullptr);
	capture c;
	save("signal", c, u.v);
	check_passed(c, u);
}

BOOST_AUTO_TEST_CASE(a_sleeping_thread_gets_past_it_if_an_inner_frame_saved_it)
{
	const undescribed u(bare::obey, deed::call, lean::save_fp_and_read);
	capture c;
	save("registers", c, u.v);
	check_passed(c, u);
}

BOOST_DATA_TEST_CASE(code_with_nothing_to_go_by_is_never_passed_in_silence,
    bdata::make({0, 1}), which)
{
	if (which == 1 && !signals_arrive)
		return;
	const undescribed u(blind::obey, ways[which].what, nullptr);
	capture c;
	save(ways[which].route, c, u.v);
	check_reported(c, u);
}

BOOST_DATA_TEST_CASE(a_call_of_what_is_not_there_shows_who_called,
    bdata::make({0, 1}) * bdata::make({0x0u, 0x1234u}), which, target)
{
	if (which == 1 && !signals_arrive)
		return;
	wild = target;
	victim v(fault, ways[which].what);
	capture c;
	save(ways[which].route, c, v);
	BOOST_TEST_INFO(hex(c.frames()));
	const auto frames = behind(c.frames(), wild);
	BOOST_REQUIRE(frames.size() > 3);
	BOOST_TEST(frames[1] - reinterpret_cast<std::uintptr_t>(call_nothing) <
	    0x100);
	BOOST_TEST(frames[2] == wild_caller);
	BOOST_TEST(c.rec.why == STACK9_WHY_NONE);
	BOOST_TEST((c.rec.flags & STACK9_STACK_GUESSED) != 0);
}
