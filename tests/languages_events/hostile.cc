// Tests that a runtime's memory may say anything at an event.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <string>
#include <tuple>

#include <boost/test/unit_test.hpp>

#include "require.h"

#include "counted_program.h"
#include "watched.h"

BOOST_AUTO_TEST_SUITE(languages_events_hostile)

namespace {

using boost::unit_test::description;

constexpr std::uint64_t calls = 1000;

// A program, its language, and what it is to do or to show.
using a_case = std::tuple<const char *, const char *, const char *>;

} // namespace

BOOST_AUTO_TEST_CASE(a_runtime_that_is_made_up_has_its_frames, *needs("bpf")
    * description("a runtime is found by its symbols, and described by what "
    "it says of itself"))
{
	const a_case all[] = {{PRETENDED, "python", "forged|forged|"},
	    {PRETENDED_PERL, "perl", "__ANON__::forged|forged|7|main::RUNTIME"},
	    {PRETENDED_RUBY, "ruby", "forged|forged|7"},
	    {PRETENDED_LUA, "lua", "function <forged:7>|forged|0"}};
	for (const auto &[program, language, stack] : all) {
		counted_program p({program, "right"});
		watched w("syscall:getsid", p.pid(), language);
		w.warm(p, "run");
		const std::uint64_t before = events_of(w.count());
		w.run(p, "run");
		w.stop();
		BOOST_TEST(events_of(w.count()) == before + calls);
		bool found = false;
		for (const auto &[its, events] : w.count())
			found |= its.starts_with(stack);
		BOOST_TEST(found);
	}
}

// The events come all the same, and say that something lacks.
BOOST_AUTO_TEST_CASE(a_chain_without_an_end_and_wild_ones_are_bounded,
    *needs("bpf") * description("Va lacking of the tally counts these "
    "events"))
{
	const a_case all[] = {{PRETENDED, "python", "cycle"},
	    {PRETENDED, "python", "wild"}, {PRETENDED, "python", "threads"},
	    {PRETENDED_PERL, "perl", "cycle"},
	    {PRETENDED_PERL, "perl", "wild"}, {PRETENDED_PERL, "perl", "many"},
	    {PRETENDED_PERL, "perl", "nobody"},
	    {PRETENDED_RUBY, "ruby", "around"},
	    {PRETENDED_RUBY, "ruby", "wild"},
	    {PRETENDED_RUBY, "ruby", "outside"},
	    {PRETENDED_LUA, "lua", "cycle"}, {PRETENDED_LUA, "lua", "wild"},
	    {PRETENDED_LUA, "lua", "open"},
	    {PRETENDED_LUA, "lua", "elsewhere"}};
	for (const auto &[program, language, how] : all) {
		BOOST_TEST_CONTEXT(language << " " << how) {
			counted_program p({program, how});
			watched w("syscall:getsid", p.pid(), language);
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
