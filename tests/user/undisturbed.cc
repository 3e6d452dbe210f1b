// Tests that blocking calls go on while they are looked at without a stop.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "core_calls.h"
#include "require.h"
#include "blocked.h"
#include "user.h"

BOOST_AUTO_TEST_SUITE(undisturbed)

namespace {

constexpr int looks = 1000;

// The number of times that each thread's stack was captured.
using tally = std::map<pid_t, int>;

void
all_were_had(const blocked &v, const tally &had, const std::string &how)
{
	for (const blocked::occupant &o : v.all()) {
		const auto at = had.find(o.tid);
		BOOST_TEST((at != had.end() && at->second == looks), how <<
		    ": " << o.call.name << " was had " <<
		    (at == had.end() ? 0 : at->second) << " times of " <<
		    looks);
	}
}

void
nobody_woke(const blocked &v, const std::string &how)
{
	v.settle();
	BOOST_TEST(v.returned() == "", how << ": " << v.returned());
}

} // namespace

BOOST_AUTO_TEST_CASE(there_are_28, *boost::unit_test::description(
    "a victim with 28 kinds of blocking call"))
{
	const blocked v;
	fmt::print("{} kinds of blocking call\n", v.all().size());
	BOOST_TEST(v.all().size() >= 28u);
	BOOST_TEST(v.returned() == "");
}

BOOST_AUTO_TEST_CASE(by_captures_of_a_thread, *needs("root")
    * boost::unit_test::description(
    "0 of 28 return early under 1000 captures by the no-stop routes"))
{
	const blocked v;
	const auto all = no_stop_routes(one_job);
	BOOST_TEST(!all.empty());
	for (const std::string &route : all) {
		const forced only(and_no_stop(route));
		user_capture c(v.pid());
		tally had;
		for (int i = 0; i < looks; i++)
			for (const blocked::occupant &o : v.all())
				had[o.tid] += c.save(o.tid) == 0;
		all_were_had(v, had, route);
		nobody_woke(v, route);
	}
}

BOOST_AUTO_TEST_CASE(by_passes_over_the_process, *needs("root")
    * boost::unit_test::description(
    "0 of 28 return early under 1000 captures by the no-stop routes"))
{
	const blocked v;
	const auto all = no_stop_routes(many_job);
	BOOST_TEST(!all.empty());
	for (const std::string &route : all)
		for (const stack9_side side : {STACK9_USER, STACK9_BOTH}) {
			const forced only(and_no_stop("") + "," + route);
			tally had;
			for (int i = 0; i < looks; i++)
				core::each(side, v.pid(),
				    [](void *arg,
				    const stack9::stack_record *rec) {
					    (*static_cast<tally *>(arg))
						[rec->thread.tid] +=
						rec->side == STACK9_USER &&
						rec->error == 0;
					    return 0;
				    }, &had);
			all_were_had(v, had, route);
			nobody_woke(v, route);
		}
}

BOOST_AUTO_TEST_CASE(what_they_are_in_is_reported, *needs("bpf")
    * boost::unit_test::description(
    "every stack complete, with the right innermost function"))
{
	const blocked v;
	user_capture c(v.pid());
	const forced only(and_no_stop(""));
	for (const blocked::occupant &o : v.all()) {
		BOOST_TEST(c.save(o.tid) == 0);
		const auto names = c.names();
		BOOST_TEST_CONTEXT(o.call.name << ": " << joined(names)) {
			BOOST_TEST(c.rec.why == STACK9_WHY_NONE,
			    stack9_why_text(c.rec.why));
			BOOST_REQUIRE(!names.empty());
			if (o.call.innermost != nullptr)
				BOOST_TEST(in_the_manual(names[0]) ==
				    o.call.innermost);
			BOOST_TEST(joined(names).find("sit_in") !=
			    std::string::npos);
		}
	}
}

BOOST_AUTO_TEST_SUITE_END()
