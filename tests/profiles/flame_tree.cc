// Tests stacks merged by path.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <fmt/format.h>

#include "tools/profiles/flame_tree.h"
#include "model.h"

using boost::unit_test::description;

namespace {

// "depth name start weight events" a line.
std::string
text_of(const profiles::profile &p,
    const std::vector<profiles::flame_node> &nodes)
{
	std::string text;
	for (const auto &n : nodes)
		text += fmt::format("{} {} {} {} {}\n", n.depth, n.depth == 0 ?
		    "all" : p.frames[n.frame].name, n.start, n.weight,
		    n.events);
	return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(flame_tree)

BOOST_AUTO_TEST_CASE(merged, *description("stacks are merged by path, sorted "
    "by name; a frame weighs what all in it weigh"))
{
	const auto p = small();
	BOOST_TEST(text_of(p, profiles::flame_tree(p)) ==
	    "0 all 0 100 20\n"
	    "1 idle 0 20 1\n"
	    "1 main 20 80 19\n"
	    "2 parse 20 70 9\n"
	    "3 scan 70 20 5\n"
	    "2 write 90 10 10\n"
	    "3 -- 90 10 10\n"
	    "4 ksys_write 90 10 10\n");
}

BOOST_AUTO_TEST_CASE(narrow, *description("frames too narrow to be drawn are "
    "left out, with all in them, and counted"))
{
	const auto p = small();
	auto nodes = profiles::flame_tree(p);
	const auto left = profiles::leave_out(nodes, 6, 1000);	// below 16
	BOOST_TEST(text_of(p, nodes) == "0 all 0 100 20\n1 idle 0 20 1\n"
	    "1 main 20 80 19\n2 parse 20 70 9\n3 scan 70 20 5\n");
	BOOST_TEST(left.frames == 3u);
	BOOST_TEST(left.weight == 10u);
}

BOOST_AUTO_TEST_CASE(too_many, *description("and the narrowest, until there "
    "are no more than a browser draws"))
{
	const auto p = many(5000);
	auto nodes = profiles::flame_tree(p);
	const std::size_t all = nodes.size();
	const auto left = profiles::leave_out(nodes, 1000000000, 777);
	BOOST_TEST(nodes.size() == 777u);
	BOOST_TEST(left.frames == all - nodes.size());
	// Each frame that is there has its parent.
	for (std::size_t i = 1; i < nodes.size(); i++)
		BOOST_REQUIRE(nodes[i].depth <= nodes[i - 1].depth + 1);
}

BOOST_AUTO_TEST_CASE(all_there, *description("nothing is left out that can be "
    "drawn"))
{
	auto nodes = profiles::flame_tree(small());
	const auto left = profiles::leave_out(nodes, 1000, 1000);
	BOOST_TEST(left.frames == 0u);
	BOOST_TEST(left.weight == 0u);
	BOOST_TEST(nodes.size() == 8u);
}

BOOST_AUTO_TEST_SUITE_END()
