// Tests copies of a program that maps one library in the place of another, and
// that are unwound after it has done so.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "watching.h"

BOOST_AUTO_TEST_CASE(copies_have_the_mappings_of_their_events, *needs("bpf")
    * copied() * boost::unit_test::description("The mappings are those that "
    "the process had at the event, as far as the kernel's log of mappings has "
    "them."))
{
	constexpr std::uint64_t times = 100, calls = 10, all = times * calls;
	staged p("plugs_lean", {STAGED, std::to_string(times),
	    std::to_string(calls)});
	stack9::watch_sink sink = counted(STACK9_USER);
	sink.flags |= STACK9_WATCH_COPY;
	watching w("syscall:getppid", only(p.pid()), sink);
	w.all_of(p);
	w.end();
	BOOST_TEST(p.truth().at(0) > 0);	// both at one address
	const std::uint64_t first = events_in(w.samples, "first"),
	    second = events_in(w.samples, "second");
	BOOST_TEST(first <= all);
	BOOST_TEST(second <= all);
	// The log may have lost records, and the ring events.
	if (w.tally().kept >= 2 * all)
		BOOST_TEST(first + second >= 2 * all * 9 / 10);
}
