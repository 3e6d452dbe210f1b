// Tests that a runtime's memory may say anything at an event.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <string>

#include <boost/test/unit_test.hpp>

#include "require.h"

#include "counted_program.h"
#include "watched.h"

BOOST_AUTO_TEST_SUITE(languages_events_hostile)

namespace {

using boost::unit_test::description;

constexpr std::uint64_t calls = 1000;

std::uint64_t
events_of(const stack_counts &all)
{
	std::uint64_t n = 0;
	for (const auto &[stack, events] : all)
		n += events;
	return n;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_runtime_that_is_made_up_has_its_frames, *needs("bpf")
    * description("a runtime is found by its symbols, and described by what "
    "it says of itself"))
{
	counted_program p({PRETENDED, "right"});
	watched w("syscall:getsid", p.pid(), "python");
	w.warm(p, "run");
	const std::uint64_t before = events_of(w.count());
	w.run(p, "run");
	w.stop();
	BOOST_TEST(events_of(w.count()) == before + calls);
	bool found = false;
	for (const auto &[stack, events] : w.count())
		found |= stack.starts_with("forged|forged|");
	BOOST_TEST(found);
}

// The events come all the same, and say that something lacks.
BOOST_AUTO_TEST_CASE(a_chain_without_an_end_and_wild_ones_are_bounded,
    *needs("bpf") * description("Va lacking of the tally counts these "
    "events"))
{
	for (const char *const how : {"cycle", "wild", "threads"}) {
		BOOST_TEST_CONTEXT(how) {
			counted_program p({PRETENDED, how});
			watched w("syscall:getsid", p.pid(), "python");
			for (int i = 0; i < 20; i++)
				w.run(p, "run");
			w.stop();
			BOOST_TEST(events_of(w.count()) == 20 * calls);
			BOOST_TEST(w.tally().kept == 20 * calls);
			BOOST_TEST(w.tally().lacking > 10 * calls);
		}
	}
}

BOOST_AUTO_TEST_SUITE_END()
