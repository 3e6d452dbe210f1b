// Tests the stacks and the names of code whose file was written over in its
// place while a program had it mapped.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "lib/scratch.h"
#include "watching.h"

namespace {

constexpr std::uint64_t calls = 20000;

// All events of the first file are read before there is the second one.
void
check_both_files(unsigned int flags)
{
	const lib::scratch room;
	staged p("overwrites_lean", {STAGED, room / "written.so",
	    std::to_string(calls)});
	stack9::watch_sink sink = roomy();
	sink.flags |= flags;
	watching w("syscall:getppid", only(p.pid()), sink);
	p.go();
	while (w.tally().events + w.tally().skipped < calls)
		w.read(10);
	while (w.read(100) == 0)
		;
	w.all_of(p);
	w.end();
	const bool is_whole = w.tally().kept == 2 * calls;
	std::uint64_t between = 0;
	for (const kept_sample &s : w.samples)
		between += s.user.has("main") ? 0 : s.events;
	const std::uint64_t early = events_in(w.samples, "early_code"),
	    later = events_in(w.samples, "later_code");
	BOOST_TEST(between > 0u);	// some are read with the change
	BOOST_TEST(early <= calls);
	BOOST_TEST(later > 0u);
	BOOST_TEST(later <= calls);
	if (is_whole) {
		BOOST_TEST(later + between >= calls);
		BOOST_TEST(events_in(w.samples, "main") + between ==
		    2 * calls);
	} else {	// the ring was full
		BOOST_TEST_MESSAGE(told(w.tally()));
	}
	for (const kept_sample &s : w.samples)
		if (!s.user.has("main"))
			BOOST_TEST(s.user.why == STACK9_WHY_UNWIND);
}

} // namespace

BOOST_AUTO_TEST_CASE(code_that_was_written_over_is_of_its_time, *needs("bpf")
    * copied() * boost::unit_test::description("A stack of before it is not "
    "named by what the file has now."))
{
	check_both_files(0);
}

BOOST_AUTO_TEST_CASE(copies_of_code_that_was_written_over, *needs("bpf")
    * copied() * boost::unit_test::description("One of after it is unwound and "
    "named by what the file has now."))
{
	check_both_files(STACK9_WATCH_COPY);
}
