// Watches threads being made: who makes them, and they themselves.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "watching.h"

BOOST_AUTO_TEST_SUITE(watch_births)

namespace {

using boost::unit_test::description;

constexpr std::uint64_t times = 50;

} // namespace

BOOST_AUTO_TEST_CASE(who_makes_a_thread_has_callers, *needs("bpf") * copied()
    * watchable("syscall:clone3") * description("The function of the C library "
    "that makes a thread has no unwind information at its system call.  Its "
    "caller is found by the information that ends just before the "
    "instruction."))
{
	for (const char *const program : {"births", "births_lean"}) {
		staged p(program, {std::to_string(times)});
		watching w("syscall:clone3", only(p.pid()),
		    counted(STACK9_USER));
		w.all_of(p);
		w.end();
		BOOST_TEST(events_in(w.samples, "give_birth") == times);
		BOOST_TEST(events_in(w.samples, "main") == times);
		for (const kept_sample &s : w.samples) {
			BOOST_TEST(s.user.why == STACK9_WHY_NONE,
			    s.user.reason);
			BOOST_TEST((s.user.flags & STACK9_STACK_GUESSED) == 0);
		}
	}
}

// It returns twice: in the new thread, too.
BOOST_AUTO_TEST_CASE(the_new_thread_has_none, *needs("bpf") * copied()
    * watchable("sysret:clone3") * description(
    "The new thread itself has no caller."))
{
	staged p("births_lean", {std::to_string(times)});
	watching w("sysret:clone3", only(p.pid()), counted(STACK9_BOTH));
	w.all_of(p);
	w.end();
	std::uint64_t made = 0, new_ones = 0;
	for (const kept_sample &s : w.samples) {
		BOOST_TEST(s.user.error == 0, s.user.reason);
		BOOST_TEST(s.user.why == STACK9_WHY_NONE, s.user.reason);
		BOOST_TEST(s.kernel.why == STACK9_WHY_NONE, s.kernel.reason);
		(s.user.has("give_birth") ? made : new_ones) += s.events;
		if (!s.user.has("give_birth"))
			BOOST_TEST(s.user.pcs.size() == 1u);
	}
	BOOST_TEST(made == times);
	BOOST_TEST(new_ones == times);
}

BOOST_AUTO_TEST_SUITE_END()
