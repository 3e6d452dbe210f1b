// Tests EVENTS of stackcount(1): probes that a file declares.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>

#include "found.h"
#include "plugin.h"

using stack9::events::probe_kind;
using labels = std::set<std::string>;

namespace {

const std::string usdt = "usdt:" + plugin::path() + ":";

} // namespace

BOOST_AUTO_TEST_SUITE(usdt_probes)

BOOST_AUTO_TEST_CASE(a_probe_has_a_point_for_each_place_and_one_label)
{
	const plugin here;
	for (const std::string &text : {usdt + "events:hit", usdt + "hit",
	    "U:" + plugin::path() + ":events:hit"}) {
		const found f(text);
		BOOST_TEST_REQUIRE(f.probes.size() == 2U, f);
		BOOST_TEST(f.labels() == labels{usdt + "events:hit"}, f);
		BOOST_TEST(f.labels_are_names(), f);
		for (const auto &p : f.probes) {
			BOOST_TEST((p.kind == probe_kind::usdt));
			BOOST_TEST(p.provider == "events");
			BOOST_TEST(p.name == "hit");
			// A probe is a nop.
			BOOST_TEST(here.byte_at(p.offset) == 0x90);
		}
	}
}

BOOST_AUTO_TEST_CASE(a_probes_semaphore_is_where_it_is_mapped_from)
{
	const plugin here;
	using where = unsigned short *();
	const void *const semaphore = reinterpret_cast<where *>(
	    here["where_the_semaphore_is"])();
	for (const auto &p : found(usdt + "hit").probes)
		BOOST_TEST(p.semaphore == here.offset_of(semaphore));
	BOOST_TEST(found(usdt + "missed").probes.at(0).semaphore == 0U);
}

BOOST_AUTO_TEST_CASE(patterns_find_probes)
{
	BOOST_TEST(found(usdt + "*").labels() ==
	    (labels{usdt + "events:hit", usdt + "events:missed"}));
	BOOST_TEST(found(usdt + "ev.*:mis+ed", true).labels() ==
	    labels{usdt + "events:missed"});
}

BOOST_AUTO_TEST_CASE(an_unknown_probe_is_enoent_with_the_nearest_names)
{
	const found f(usdt + "events:mised");
	BOOST_TEST(f.error == ENOENT, f);
	BOOST_TEST(f.says("did you mean missed"), f);
	BOOST_TEST(found("usdt:" STACK9_EVENTS_PROGRAMS "/stripped:x").says(
	    "declares no probes"));
}

BOOST_AUTO_TEST_SUITE_END()
