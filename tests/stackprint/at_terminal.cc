// Tests stackprint as a person at a terminal sees it: waits unasked, groups
// that say what they wait for, and frames that groups share.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <chrono>
#include <sstream>
#include <string>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "child.h"
#include "followed.h"
#include "require.h"
#include "tmux.h"

using boost::unit_test::description;
using namespace std::chrono_literals;

namespace {

constexpr int many = 25;

std::string
on_terminal(const std::string &options)
{
	const tmux t(120, 100, std::string(STACKPRINT) + " " + options +
	    "; sleep 100");
	return t.until(" gone\n");
}

// The first object of several lines that has the member.
nlohmann::json
object_with(const std::string &lines, const char *member)
{
	std::istringstream in(lines);
	for (std::string line; std::getline(in, line);)
		if (auto o = nlohmann::json::parse(line); o.contains(member))
			return o;
	return {};
}

} // namespace

BOOST_AUTO_TEST_SUITE(at_terminal, *needs("bpf") * needs("tmux"))

BOOST_AUTO_TEST_CASE(waits_unasked, *description(
    "On a terminal this is usual for tids and -p if user stacks are printed; "
    "waits that cannot be found are then passed over in silence."))
{
	const followed f(0);
	const std::string tid = std::to_string(f.mover);
	const std::string seen = on_terminal(tid);
	BOOST_TEST(has(seen, "  waits   for pipe "), seen);
	BOOST_TEST(has(seen, ", for "), seen);
	for (const char *const without : {"--no-waits ", "-k "})
		BOOST_TEST(!has(on_terminal(without + tid), "  waits "),
		    without);
	BOOST_TEST(!has(run({STACKPRINT, tid}).out, "  waits "));
}

BOOST_AUTO_TEST_CASE(frames_above, *description(
    "On a terminal, unless -v is given, three and more outer frames that a "
    "group has in common with one above are counted."))
{
	const followed f(many);
	const std::string pid = std::to_string(f.pid);
	const std::string seen = on_terminal("-p " + pid);
	BOOST_TEST(has(seen, std::to_string(many) + " threads  "), seen);
	BOOST_TEST(has(seen, " outer frames as above\n"), seen);
	BOOST_TEST(has(seen, " outer frames as of tid "), seen);
	BOOST_TEST(times(seen, "clone3") == 1u, seen);
	BOOST_TEST(has(seen, "  waits   for signal\n"), seen);
	BOOST_TEST(times(run({STACKPRINT, "--group", "-p", pid}).out,
	    "clone3") == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(waits_of_groups, *needs("bpf"))

BOOST_AUTO_TEST_CASE(once_a_group, *description(
    "--waits: With --group threads that wait for the same are counted."))
{
	const followed f(many);
	const std::string pid = std::to_string(f.pid);
	const said s = run({STACKPRINT, "--waits", "--group", "-p", pid});
	BOOST_TEST(times(s.out, "  waits   for signal\n") == 1u, s.out);
	BOOST_TEST(times(s.out, "  waits   for pipe ") == 2u, s.out);
	BOOST_TEST(times(s.out, ", for ") == 3u, s.out);
	const auto o = object_with(run({STACKPRINT, "--waits", "--group",
	    "--json", "-p", pid}).out, "count");
	BOOST_TEST(o["count"] == many);
	BOOST_TEST(o["waits"].size() == 1u);
	BOOST_TEST(o["waits"][0]["count"] == many);
	BOOST_TEST(o["waits"][0]["wait"]["kind"] == "signal");
}

// The threads that read have one stack in the kernel and two pipes.
BOOST_AUTO_TEST_CASE(different_waits_of_equal_stacks)
{
	const followed f(many);
	const std::string out = run({STACKPRINT, "--waits", "--group", "-k",
	    "-p", std::to_string(f.pid)}).out;
	BOOST_TEST(has(out, "2 threads  "), out);
	BOOST_TEST(times(out, "1 thread for pipe ") == 2u, out);
}

BOOST_AUTO_TEST_CASE(stuck_in_groups, *description(
    "--stuck: With --group equal stacks are printed once."))
{
	const followed f(many, true);
	said s;
	f.while_awake(100ms, [&] {
		s = run({STACKPRINT, "--stuck=0.1", "--group", "-p",
		    std::to_string(f.pid)});
		BOOST_TEST(has(s.out, std::to_string(many) + " threads  "),
		    s.out);
	});
	BOOST_TEST(times(s.out, "  waits   for signal\n") == 1u, s.out);
	BOOST_TEST(has(s.out, std::to_string(many + 2) +
	    " did not run for 100 ms\n"), s.out);
}

BOOST_AUTO_TEST_SUITE_END()
