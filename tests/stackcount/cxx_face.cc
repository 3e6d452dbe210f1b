// <stack9_watch.hpp>, on the fake library.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <utility>

#include <stack9_watch.hpp>

using boost::unit_test::description;

namespace {

stack9::watch_sink
to(::stack9_sink_kind what)
{
	stack9::watch_sink sink{};
	sink.what = what;
	sink.side = STACK9_BOTH;
	return sink;
}

} // namespace

BOOST_AUTO_TEST_SUITE(cxx_face)

BOOST_AUTO_TEST_CASE(samples_go_to_any_callable,
    *description("stack9_watch.hpp: hands its samples to any callable; one "
    "that returns an int ends the call with it"))
{
	std::uint64_t events = 0;
	stack9::event_watch w;
	BOOST_TEST(!w);
	BOOST_REQUIRE(w.watch("whole", to(STACK9_WATCH_COUNT),
	    [&](const stack9::sample &s) { events += s.events; }) == 0);
	BOOST_TEST(w.reason() == "");
	BOOST_TEST(w.read(0) == 0);
	BOOST_TEST(w.counts() == 0);
	BOOST_TEST(events == 10u);
	BOOST_TEST(w.tally().events == 10u);
	BOOST_TEST(w.stop() == 0);

	BOOST_REQUIRE(w.watch("whole", to(STACK9_WATCH_STREAM),
	    [](const stack9::sample &) { return 7; }) == 0);
	BOOST_TEST(w.read(0) == 7);
}

BOOST_AUTO_TEST_CASE(what_is_thrown_is_thrown_again,
    *description("stack9_watch.hpp: what a callable throws ends the call that "
    "called it, and is thrown again by that, once"))
{
	stack9::event_watch w;
	bool once = true;
	BOOST_REQUIRE(w.watch("whole", to(STACK9_WATCH_COUNT),
	    [&](const stack9::sample &) {
		    if (std::exchange(once, false))
			    throw std::runtime_error("thrown");
	    }) == 0);
	BOOST_CHECK_THROW(w.counts(), std::runtime_error);
	BOOST_TEST(w.counts() == 0);
}

BOOST_AUTO_TEST_CASE(it_moves_and_closes_itself,
    *description("stack9_watch.hpp: a watch closes itself, and can be moved"))
{
	int given = 0;
	stack9::event_watch w, other;
	const auto count = [&](const stack9::sample &) { given++; };
	BOOST_REQUIRE(w.watch("whole", to(STACK9_WATCH_COUNT), count) == 0);
	BOOST_REQUIRE(other.watch("odd", to(STACK9_WATCH_COUNT), count) == 0);
	other = std::move(w);
	BOOST_TEST(other.counts() == 0);
	BOOST_TEST(given == 4);
	stack9::event_watch third(std::move(other));
	BOOST_TEST(third.counts() == 0);
	BOOST_TEST(given == 8);
	third.close();
	BOOST_TEST(!third);
}

BOOST_AUTO_TEST_CASE(a_refusal_has_a_reason,
    *description("stack9_watch.hpp: the errno, and the reason"))
{
	stack9::event_watch w;
	BOOST_TEST(w.watch("unknown", to(STACK9_WATCH_COUNT),
	    [](const stack9::sample &) {}) == ENOENT);
	BOOST_TEST(std::string(w.reason()).find("no ") != std::string::npos);
	BOOST_TEST(!w);
}

BOOST_AUTO_TEST_SUITE_END()
