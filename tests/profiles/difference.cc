// Tests profiles that are read again, and their differences.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <numeric>

#include "model.h"
#include "tools/profiles/difference.h"
#include "tools/profiles/writers.h"

using boost::unit_test::description;
using profiles::profile;

namespace {

profile
read(const std::string &text)
{
	profile p;
	const std::string wrong = profiles::read_profile(text, p);
	BOOST_TEST_REQUIRE(wrong == "");
	return p;
}

std::uint64_t
total(const profile &p)
{
	return std::accumulate(p.stacks.begin(), p.stacks.end(),
	    std::uint64_t{0}, [](std::uint64_t n, const profiles::stack &s) {
		return n + s.weight; });
}

bool
is_in(const std::string &text, const std::string &part)
{
	return text.find(part) != text.npos;
}

profile
changed()
{
	return difference(read("a;b;c 10\na;b;d 5\na;e 5\n"),
	    read("a;b;c 40\na;b;d 5\na;f 5\n"));
}

} // namespace

BOOST_AUTO_TEST_SUITE(differences)

BOOST_AUTO_TEST_CASE(what_was_written_is_read,
    *description("-f folded, -f json"))
{
	const std::string text = folded(small());
	BOOST_TEST(folded(read(text)) == text);
	const profile p = read(profiles::json(small()));
	BOOST_TEST(p.event == small().event);
	BOOST_TEST(p.unit == small().unit);
	BOOST_TEST(total(p) == total(small()));
	BOOST_TEST(p.stacks.size() == small().stacks.size());
}

BOOST_AUTO_TEST_CASE(what_is_no_profile_is_refused)
{
	for (const char *text : {"", "x", "a;b c", "a;b 1x", " 1", "a -1",
	    "a;b 99999999999999999999", "{", "{}", "{\"schema\":2}",
	    "{\"schema\":1,\"frames\":[],\"stacks\":[]}",
	    "{\"schema\":1,\"frames\":[],\"stacks\":[{\"events\":1,"
	    "\"weight\":1,\"frames\":[0]}]}",
	    "{\"schema\":1,\"frames\":[{\"name\":3}],\"stacks\":[]}",
	    "{\"schema\":1,\"frames\":[{\"name\":\"x\"}],\"stacks\":[{"
	    "\"events\":\"1\",\"weight\":1,\"frames\":[0]}]}"}) {
		profile p;
		BOOST_TEST(profiles::read_profile(text, p) != "", text);
	}
	profile p;
	const std::string deep(1 << 20, '[');
	BOOST_TEST(profiles::read_profile("{\"schema\":" + deep, p) != "");
}

BOOST_AUTO_TEST_CASE(shares_are_compared,
    *description("--diff: The shares of the two totals are compared, for one "
    "may have taken longer than the other."))
{
	const profile p = read("a;b 10\na;c 10\n");
	const profile twice = read("a;b 20\na;c 20\n");
	const std::string text = difference_text(difference(p, twice), 40);
	BOOST_TEST(is_in(text, "  50.00 %  50.00 %    +0.00"), text);
	BOOST_TEST(is_in(text, "20 events before, 40 events after"), text);
}

BOOST_AUTO_TEST_CASE(the_greatest_change_is_last,
    *description("--diff: The text has the functions whose own share changed "
    "most, -T of them or 40, the greatest change last."))
{
	const std::string text = difference_text(changed(), 2);
	const auto c = text.find("   c\n"), e = text.find("   e\n");
	BOOST_TEST((e < c && c != text.npos), text);
	BOOST_TEST(!is_in(text, "   d\n"), text);
	BOOST_TEST(is_in(text, "50.00 %  80.00 %   +30.00"), text);
}

BOOST_AUTO_TEST_CASE(folded_has_both,
    *description("--diff: Folded stacks have two numbers, before and after."))
{
	BOOST_TEST(difference_folded(changed()) ==
	    "a;b;c 10 40\na;b;d 5 5\na;e 5 0\na;f 0 5\n");
}

BOOST_AUTO_TEST_CASE(graphs_are_red_and_blue,
    *description("--diff: In a flame graph the widths are those of the second "
    "profile; what has a larger share than before is red, and what has a "
    "smaller one is blue."))
{
	const std::string svg = flame_graph(changed());
	BOOST_TEST(is_in(svg, "<title>c\nuser\n40 events, 80.00 %; 50.00 % "
	    "before, +30.00</title><rect class=\"more4\""), svg);
	BOOST_TEST(is_in(svg, "<title>d\nuser\n5 events, 10.00 %; 25.00 % "
	    "before, -15.00</title><rect class=\"less4\""));
	BOOST_TEST(is_in(svg, "<title>a\nuser\n50 events, 100.00 %; 100.00 % "
	    "before, +0.00</title><rect class=\"same\""));
}

BOOST_AUTO_TEST_SUITE_END()
