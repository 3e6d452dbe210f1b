// stackrecord and stackreport as people run them, on a process whose threads
// are in known places.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "child.h"
#include "made.h"
#include "require.h"
#include "victims/victim.h"

using boost::unit_test::description;

namespace {

// Records a process 20 times a second for one second.
said
record(const std::string &dir, pid_t pid,
    const std::vector<std::string> &more = {})
{
	std::vector<std::string> command = {STACKRECORD, "-F", "20", "-D", "1",
	    "-p", std::to_string(pid), "-o", dir};
	command.insert(command.end(), more.begin(), more.end());
	return run(command);
}

said
report(std::vector<std::string> args)
{
	args.insert(args.begin(), STACKREPORT);
	return run(args);
}

// The samples in the lines of folded stacks that have the text.
unsigned long
samples(const std::string &folded, const std::string &text)
{
	unsigned long sum = 0;
	std::istringstream in(folded);
	for (std::string line; std::getline(in, line);)
		if (has(line, text))
			sum += std::stoul(line.substr(line.rfind(' ')));
	return sum;
}

} // namespace

BOOST_AUTO_TEST_CASE(what_threads_did, *needs("root") * needs("bpf") *
    description("a recorded process is reported"))
{
	const made::directory dir;
	const victim v({doing::futex, doing::read, doing::spin_user});
	const said recorded = record(dir.path(), v.pid());
	BOOST_TEST(recorded.status == 0, recorded.err);
	BOOST_TEST(has(recorded.err, "% of a CPU"), recorded.err);

	const said folded = report({"-f", "folded", dir.path()});
	BOOST_TEST(folded.status == 0, folded.err);
	const unsigned long ticks = samples(folded.out, "futex");
	BOOST_TEST(ticks >= 5U);
	BOOST_TEST(ticks <= 21U);
	BOOST_TEST(samples(folded.out, "pipe_read") == ticks);

	const said top = report({"--stack", "futex", dir.path()});
	BOOST_TEST(has(top.out, "kernel  futex"), top.out);
	BOOST_TEST(!has(top.out, "pipe_read"), top.out);
	const said running = report({"--state", "R", "-f", "folded",
	    dir.path()});
	BOOST_TEST(samples(running.out, "") == ticks);
	BOOST_TEST(report({"--to", "2001-01-01 00:00", dir.path()}).status ==
	    2);
	const said list = report({"--list", dir.path()});
	BOOST_TEST(has(list.out, std::to_string(ticks) + " ticks"), list.out);
	const said svg = report({"-f", "svg", dir.path()});
	BOOST_TEST(has(svg.out, "pipe_read"));
	const said diff = report({"--diff", "-1h,-0s", dir.path()});
	BOOST_TEST(diff.status == 0, diff.err);
	const said stuck = report({"--stuck", "--state", "S", dir.path()});
	BOOST_TEST(has(stuck.out, "and on  "), stuck.out);
	const said history = report({"--history", dir.path()});
	BOOST_TEST(times(history.out, "running") >= ticks / 2, history.out);
}

BOOST_AUTO_TEST_CASE(a_recorded_moment, *needs("root") * needs("bpf") *
    description("stackprint --from prints what stackprint printed then"))
{
	const made::directory dir;
	const victim v({doing::futex, doing::read, doing::poll});
	const std::string pid = std::to_string(v.pid());
	const auto stacks = [](std::vector<std::string> args) {
		args.insert(args.begin(), STACKPRINT);
		return run(args);
	};
	BOOST_REQUIRE(record(dir.path(), v.pid()).status == 0);
	for (const auto &how : {std::vector<std::string>{"-v"}, {"--group"},
	    {"-k"}, {"-uR"}}) {
		std::vector<std::string> now = how, then = how;
		now.insert(now.end(), {"--no-group", "-p", pid});
		if (how[0] == "--group")
			now.erase(now.end() - 3);
		then.insert(then.end(), {"--from", dir.path()});
		const said live = stacks(now), recorded = stacks(then);
		BOOST_TEST(live.status == recorded.status);
		BOOST_TEST(live.out == recorded.out);
		BOOST_TEST(has(recorded.err, "recorded on "), recorded.err);
	}
	const said one = stacks({"--json", "--from", dir.path(), pid});
	BOOST_TEST(times(one.out, "\"tid\":") == 1, one.out);
	BOOST_TEST(stacks({"--from", dir.path(), "--at", "2001-01-01 00:00"})
	    .status == 2);
	BOOST_TEST(stacks({"--from", dir.path(), "-l"}).status == 64);
	BOOST_TEST(stacks({"--at", "14:03", pid}).status == 64);
}

BOOST_AUTO_TEST_CASE(errors_are_said, *description(
    "what is wrong with a command or a file is said"))
{
	const made::directory dir;
	BOOST_TEST(report({}).status == 64);
	BOOST_TEST(report({"--from", "soon", dir.path()}).status == 64);
	BOOST_TEST(report({"--stack", "(", dir.path()}).status == 64);
	BOOST_TEST(report({dir.path()}).status == 2);
	BOOST_TEST(report({dir.path() + "/none"}).status == 2);
	const said other = report({dir.file("no record")});
	BOOST_TEST(other.status == 2);
	BOOST_TEST(has(other.err, "it is no record of stackrecord"),
	    other.err);
	BOOST_TEST(run({STACKRECORD}).status == 64);
	BOOST_TEST(run({STACKRECORD, "-F", "1000", "-o", "x"}).status == 64);
}
