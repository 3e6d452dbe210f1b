// Tests frames without unwind information.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "passing_stage.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(passing)

BOOST_AUTO_TEST_CASE(entries_behind_jumps_are_passed_if_they_lead_out)
{
	stage s;
	s.pair(0x10, 0x40, made_at + plain);
	s.pair(0x40, 0x80, made_at + plain + 0x10);
	s.pair(0x80, 0, known_at + called);
	const u::walked w = s.walk();
	BOOST_TEST((w.how == u::outcome::end));
	BOOST_TEST(w.guessed);
	BOOST_TEST(s.pcs == (std::vector<std::uintptr_t>{made_at + plain,
	    made_at + plain, made_at + plain + 0x10, known_at + called}),
	    boost::test_tools::per_element());
}

#ifdef __x86_64__
// add $8,%rsp; ret, and with a nop between them.
BOOST_AUTO_TEST_CASE(made_code_that_only_returns_is_left_by_that)
{
	stage s;
	s.memory.words[made_at + called - 8] = call_word;
	s.memory.words[made_at + called] = 0xc308c48348;
	s.memory.words[bottom] = 0;
	s.memory.words[bottom + 8] = known_at + called;
	s.regs.set(u::register_pc, made_at + called);
	s.regs.set(u::register_fp, 1);
	stage t = s, behind_no_call = s;
	const u::walked w = s.walk();
	BOOST_TEST((w.how == u::outcome::end));
	BOOST_TEST(!w.guessed);
	BOOST_TEST(s.pcs == (std::vector<std::uintptr_t>{made_at + called,
	    known_at + called}), boost::test_tools::per_element());
	t.memory.words[made_at + called] = 0xc39008c48348;
	t.stops(u::outcome::no_info);
	behind_no_call.memory.words[made_at + called - 8] = 0;
	behind_no_call.stops(u::outcome::no_info);
}
#endif

#ifdef __x86_64__
// LuaJIT's interpreter calls its own helpers so.
BOOST_AUTO_TEST_CASE(a_helper_is_left_by_the_word_at_its_stack_pointer,
    *description("If the unwind information of the innermost frame leads to no "
    "caller, and the return address of a call that has just been made leads to "
    "the end of the stack, the frame is passed by that address"))
{
	constexpr std::uintptr_t helper = known_at + 0x800;
	stage s;
	s.code.wrong = helper - 0x100;
	s.regs.set(u::register_pc, helper);
	s.regs.exact = true;
	s.memory.words[bottom] = known_at + called;
	for (const std::uintptr_t said : {std::uintptr_t{0}, blank_at +
	    plain}) {
		s.pair(0x10, 0x40, said);
		stage whole = s, no_call = s, returned = s, no_end = s;
		BOOST_TEST((whole.walk().how == u::outcome::end));
		BOOST_TEST(whole.pcs == (std::vector<std::uintptr_t>{helper,
		    known_at + called}), boost::test_tools::per_element());
		BOOST_TEST(stage(s).walk().guessed);
		no_call.memory.words[bottom] = known_at + plain;
		returned.regs.exact = false;
		no_end.code.outermost = false;
		for (stage *const each : {&no_call, &returned, &no_end}) {
			const u::walked w = each->walk();
			BOOST_TEST((w.how != u::outcome::end));
			BOOST_TEST(w.depth == (said == 0 ? 1u : 2u));
			BOOST_TEST(!w.guessed);
		}
	}
}
#endif

BOOST_AUTO_TEST_CASE(an_interrupted_one_too)
{
	stage s;
	s.regs.exact = true;
	s.pair(0x10, 0x40, made_at + plain);
	s.pair(0x40, 0, known_at + called);
	BOOST_TEST((s.walk().how == u::outcome::end));
	BOOST_TEST(s.pcs.size() == 3u);
}

BOOST_AUTO_TEST_CASE(what_leads_to_no_call_is_not_passed)
{
	stage s;
	s.pair(0x10, 0x40, made_at + plain);
	s.pair(0x40, 0, known_at + plain);
	s.stops(u::outcome::no_info);
}

BOOST_AUTO_TEST_CASE(what_leads_to_code_without_information_is_not_passed)
{
	stage s;
	s.pair(0x10, 0x40, made_at + plain);
	s.pair(0x40, 0, blank_at + called);
	s.stops(u::outcome::no_info);
}

BOOST_AUTO_TEST_CASE(what_leads_behind_a_function_is_not_passed, *description(
    "A call before a function's beginning is the end of another function, and "
    "never returns"))
{
	for (const std::uintptr_t end : {called + 1, called}) {
		stage s;
		s.code.from = known_at + end;
		s.pair(0x10, 0x40, made_at + plain);
		s.pair(0x40, 0, known_at + called);
		if (end > called)
			BOOST_TEST((s.walk().how == u::outcome::end));
		else
			s.stops(u::outcome::no_info);
	}
}

// A function of a file that has its frame pointer shows where its frame ends.
BOOST_AUTO_TEST_CASE(a_frame_that_ends_inwards_is_not_left)
{
	for (const std::uintptr_t at : {0x10u, 0x0u}) {
		stage s;
		s.code.outermost = false;
		s.code.has_fp = true;
		s.regs.set(u::register_pc, known_at + called);
		s.regs.set(u::register_sp, bottom + 0x10);
		s.regs.set(u::register_fp, bottom + at);
		s.memory.words[bottom + at] = 0;
		s.memory.words[bottom + at + 8] = blank_at + plain;
		const u::walked w = s.walk();
		BOOST_TEST((w.how == u::outcome::malformed) == (at == 0));
		BOOST_TEST(w.depth == (at == 0 ? 1u : 2u));
	}
}

BOOST_AUTO_TEST_CASE(what_leads_inwards_or_round_is_not_passed)
{
	stage s;
	s.pair(0x10, 0x10, made_at + plain);
	s.stops(u::outcome::no_info);
	stage t;
	t.pair(0x10, 0x40, made_at + plain);
	t.pair(0x40, 0x10, made_at + plain);
	t.stops(u::outcome::no_info);
	stage v;
	v.regs.set(u::register_fp, bottom + 0x14);
	v.stops(u::outcome::no_info);
}

BOOST_AUTO_TEST_CASE(what_leads_out_of_the_stack_is_not_passed)
{
	stage s;
	s.pair(0x10, 2 * size, made_at + plain);
	s.pair(2 * size, 0, known_at + called);
	s.stops(u::outcome::no_info);
}

BOOST_AUTO_TEST_CASE(a_stack_that_was_not_copied_so_far_is_reported)
{
	stage s;
	s.pair(0x10, 0x40, made_at + plain);
	s.stops(u::outcome::no_memory);
}

// It is found out once for all of them: a stack of many is walked in time.
BOOST_AUTO_TEST_CASE(each_frame_is_read_twice_at_most)
{
	stage s;
	constexpr std::uintptr_t frames = 100;
	for (std::uintptr_t n = 1; n < frames; n++)
		s.pair(0x10 * n, 0x10 * (n + 1), made_at + plain);
	s.pair(0x10 * frames, 0, known_at + called);
	s.pcs.resize(2 * frames);
	const u::walked w = u::walk_memory(s.code, s.memory, s.regs,
	    s.pcs.data(), 2 * frames);
	BOOST_TEST((w.how == u::outcome::end));
	BOOST_TEST(w.depth == frames + 1);
	BOOST_TEST(s.memory.reads <= 10 * frames);
}

// Frames whose frame pointers lead to no known code are guessed one by one.
// Each of them could look at all that are left.
BOOST_AUTO_TEST_CASE(a_deep_stack_that_leads_nowhere_is_walked_in_time)
{
	stage s;
	constexpr std::uintptr_t frames = 2000;
	s.code.stack_size = 0x10 * (frames + 2);
	s.memory.words[made_at + called - 8] = call_word;
	s.regs.set(u::register_pc, made_at + called);
	for (std::uintptr_t n = 1; n < frames; n++)
		s.pair(0x10 * n, 0x10 * (n + 1), made_at + called);
	s.pair(0x10 * frames, 0, blank_at + plain);
	s.pcs.resize(frames);
	const u::walked w = u::walk_memory(s.code, s.memory, s.regs,
	    s.pcs.data(), frames);
	BOOST_TEST(w.depth >= frames - 1);
	BOOST_TEST(s.memory.reads <= 40 * frames);
}

namespace {

// In a system call whose instruction has no unwind information any more.
struct calling : stage {
	calling()
	{
		code.from = known_at + plain - (made::column == 16 ? 2 : 4);
		code.until = known_at + 0x300;
		code.outermost = false;
		memory.words[known_at + plain - 8] = syscall_word;
		memory.words[bottom] = known_at + called;
		regs = made::registers({{u::register_pc, known_at + plain},
		    {u::register_sp, bottom},
		    {u::register_result, std::uintptr_t{0} - 38}});
		if (made::column != u::register_pc)
			regs.set(made::column, known_at + called);
		regs.exact = true;
	}
};

} // namespace

BOOST_AUTO_TEST_CASE(who_makes_a_thread_has_a_caller, *description(
    "The function of the C library that makes a thread has no unwind "
    "information at its system call.  Its caller is found by the information "
    "that ends just before the instruction."))
{
	calling s;
	const u::walked w = s.walk();
	BOOST_TEST(w.depth >= 2u);
	BOOST_TEST(s.pcs.at(1) == known_at + called);
	BOOST_TEST(!w.guessed);
}

BOOST_AUTO_TEST_CASE(a_thread_that_was_just_made_has_none, *description(
    "The new thread itself has no caller."))
{
	calling s;
	s.regs.set(u::register_result, 0);
	const u::walked w = s.walk();
	BOOST_TEST((w.how == u::outcome::end));
	BOOST_TEST(w.depth == 1u);
}

BOOST_AUTO_TEST_CASE(a_word_that_is_no_return_address_is_not_taken)
{
	calling s;
	s.regs.known &= ~(std::uint64_t{1} << u::register_result);
	s.memory.words[bottom] = known_at + 0x380;
	if (made::column != u::register_pc)
		s.regs.set(made::column, known_at + 0x380);
	s.stops(u::outcome::no_info);
}

BOOST_AUTO_TEST_CASE(any_other_place_without_information_stays_one)
{
	calling s;
	s.memory.words[known_at + plain - 8] = 0;
	s.stops(u::outcome::no_info);
}

BOOST_AUTO_TEST_SUITE_END()
