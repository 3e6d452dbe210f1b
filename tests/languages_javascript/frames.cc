// Compares the frames that a capture has with those that Node says of its own
// stack: names, files and lines, one by one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "node_program.h"

#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

namespace {

// Compares all stacks of a program; gives the number of functions.
std::size_t
compare(const std::string &node, const std::vector<std::string> &options,
    int seed, int calls)
{
	constexpr int stacks = 40;
	node_program p(node, options, seed, stacks, calls);
	std::size_t compared = 0, waits = 0;
	for (frames said; p.next(said); waits++) {
		const frames seen = captured(p.pid());
		compared += said.size();
		if (seen != said)
			BOOST_TEST_CONTEXT(node << " seed " << seed << " calls "
			    << calls << " wait " << waits)
			BOOST_TEST(seen == said,
			    boost::test_tools::per_element());
		p.go_on();
	}
	BOOST_TEST(waits >= static_cast<std::size_t>(stacks));
	return compared;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_frame_is_as_node_says, *has_node() * needs("bpf") *
    SAYS("LANGUAGES: name, file and line of each function are those "
    "that V8 itself gives"))
{
	for (const std::string &node : nodes())
		for (int seed = 1; seed <= 3; seed++)
			BOOST_TEST(compare(node, {}, seed, 0) > 400u);
}

BOOST_AUTO_TEST_CASE(compiled_functions_are_as_node_says, *has_node() *
    needs("bpf") * SAYS("LANGUAGES: so are those of functions that were "
    "compiled, and of those that were inlined"))
{
	for (const std::string &node : nodes())
		for (int seed = 1; seed <= 3; seed++)
			BOOST_TEST(compare(node, {}, seed, 1500 * seed) >
			    400u);
}

BOOST_AUTO_TEST_CASE(baseline_functions_are_as_node_says, *has_node() *
    needs("bpf") * SAYS("LANGUAGES: so are those of baseline code"))
{
	for (const std::string &node : nodes())
		BOOST_TEST(compare(node, {"--always-sparkplug", "--no-opt"}, 7,
		    300) > 400u);
}
