// Tests <stack9_watch.hpp> on the fake library.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

#include <stack9_watch.hpp>

using boost::unit_test::description;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(cxx_face)

BOOST_AUTO_TEST_CASE(samples_go_to_any_callable,
    *description("stack9_watch.hpp: hands its samples to any callable; one "
    "that returns stack9::go::stop ends the call"))
{
	std::uint64_t events = 0;
	stack9::watch w;
	BOOST_TEST(!w);
	w = stack9::watch::open("whole");
	BOOST_TEST((w.read(0ms) == stack9::reading::events));
	BOOST_TEST((w.for_each([&](const stack9::sample &s) {
		events += s.events();
	}) == stack9::go::on));
	BOOST_TEST(events == 10u);
	BOOST_TEST(w.tally().events == 10u);
	BOOST_TEST(bool(w.stop(stack9::as_result)));

	stack9::watch_options o;
	o.mode = stack9::watch_mode::stream;
	w = stack9::watch::open("whole", o);
	int given = 0;
	BOOST_TEST((w.read(0ms, [&](const stack9::sample &) {
		given++;
		return stack9::go::stop;
	}) == stack9::reading::stopped));
	BOOST_TEST(given == 1);
}

BOOST_AUTO_TEST_CASE(what_is_thrown_is_thrown_again,
    *description("stack9_watch.hpp: what a callable throws ends the call that "
    "called it, and is thrown again by that, once"))
{
	stack9::watch w = stack9::watch::open("whole");
	bool once = true;
	const auto fn = [&](const stack9::sample &) {
		if (std::exchange(once, false))
			throw std::runtime_error("thrown");
	};
	BOOST_CHECK_THROW(w.for_each(fn), std::runtime_error);
	BOOST_TEST((w.for_each(fn) == stack9::go::on));
}

BOOST_AUTO_TEST_CASE(it_moves_and_closes_itself,
    *description("stack9_watch.hpp: a watch closes itself, and can be moved"))
{
	int given = 0;
	const auto count = [&](const stack9::sample &) { given++; };
	stack9::watch w = stack9::watch::open("whole");
	stack9::watch other = stack9::watch::open("odd");
	other = std::move(w);
	other.for_each(count);
	BOOST_TEST(given == 4);
	stack9::watch third(std::move(other));
	third.for_each(count);
	BOOST_TEST(given == 8);
	third.close();
	BOOST_TEST(!third);
}

BOOST_AUTO_TEST_CASE(a_refusal_has_a_reason,
    *description("stack9_watch.hpp: the errno, and the reason"))
{
	const auto w = stack9::watch::open("unknown", stack9::as_result);
	BOOST_TEST(w.error() == ENOENT);
	BOOST_TEST(w.reason().find("no ") != std::string::npos);
	BOOST_TEST(!w);
	BOOST_CHECK_THROW(stack9::watch::open("unknown"), stack9::error);
}

BOOST_AUTO_TEST_SUITE_END()
