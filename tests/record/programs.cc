// Runs stackrecord and stackreport as people do, on a process whose threads are
// in known places.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <optional>
#include <random>
#include <thread>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "made.h"
#include "require.h"
#include "victims/victim.h"

using boost::unit_test::description;

namespace {

// Records a process 50 times a second, for 20 ticks, less those that are late.
said
record(const std::string &dir, pid_t pid,
    const std::vector<std::string> &more = {}, double seconds = 0.4)
{
	std::vector<std::string> command = {STACKRECORD, "-F", "50", "-D",
	    fmt::format("{}", seconds), "-p", std::to_string(pid),
	    "--record", dir};
	command.insert(command.end(), more.begin(), more.end());
	return run(command);
}

said
report(std::vector<std::string> args)
{
	args.insert(args.begin(), STACKREPORT);
	return run(args);
}

class unconcerned final : public recording::visitor {
public:
	bool
	at(const recording::segment &, const recording::tick &) override
	{
		return true;
	}
};

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
	const victim v({doing::futex, doing::read, doing::spin_user});
	std::optional<made::directory> kept;
	said recorded, folded;
	unsigned long ticks = 0;
	// The start is in the time, and a busy machine is late for most ticks.
	for (double seconds = 0.4; ticks < 5 && seconds < 30; seconds *= 2) {
		kept.emplace();
		recorded = record(kept->path(), v.pid(), {}, seconds);
		folded = report({"-f", "folded", kept->path()});
		ticks = samples(folded.out, "futex");
		BOOST_TEST(ticks <= 50 * seconds + 1);
	}
	const made::directory &dir = *kept;
	BOOST_TEST(recorded.status == 0, recorded.err);
	BOOST_TEST(has(recorded.err, "% of a CPU"), recorded.err);
	BOOST_TEST(folded.status == 0, folded.err);
	BOOST_TEST(ticks >= 5U);
	BOOST_TEST(samples(folded.out, "pipe_read") == ticks);

	const said top = report({"--stack", "futex", dir.path()});
	BOOST_TEST(has(top.out, "kernel  futex"), top.out);
	BOOST_TEST(!has(top.out, "pipe_read"), top.out);
	const said running = report({"--state", "R", "-f", "folded",
	    dir.path()});
	BOOST_TEST(samples(running.out, "") == ticks);
	BOOST_TEST(report({"--until", "2001-01-01 00:00", dir.path()}).status ==
	    2);
	const said list = report({"--segments", dir.path()});
	BOOST_TEST(has(list.out, std::to_string(ticks) + " ticks"), list.out);
	const said svg = report({"-f", "svg", dir.path()});
	BOOST_TEST(has(svg.out, "pipe_read"));
	const said diff = report({"--baseline", "-1h,-0s", dir.path()});
	BOOST_TEST(diff.status == 0, diff.err);
	const said stuck = report({"--longest", "--state", "S", dir.path()});
	BOOST_TEST(has(stuck.out, "and on  "), stuck.out);
	const said history = report({"--history", dir.path()});
	BOOST_TEST(times(history.out, "running") >= ticks / 2, history.out);
}

// The program itself, at any moment of its life.
BOOST_AUTO_TEST_CASE(hidden_names_are_reported, *needs("root") * needs("bpf") *
    description("DIAGNOSTICS: names are hidden: ..."))
{
	const made::directory dir;
	const victim v({doing::futex});
	const std::vector<std::string> command = {STACKRECORD, "-q", "-F",
	    "50", "-D", "0.1", "-p", std::to_string(v.pid()), "--record",
	    dir.path()};
	const said hidden = run(command,
	    {.environment = {"LD_PRELOAD=" HIDING}});
	BOOST_TEST(hidden.status == 0, hidden.err);
	BOOST_TEST(times(hidden.err, "stackrecord: names are hidden") == 1U,
	    hidden.err);
	BOOST_TEST(run(command).err == "");
}

BOOST_AUTO_TEST_CASE(the_recorder_is_killed, *needs("root") * needs("bpf") *
    description("files of a recorder that was killed can be read"))
{
	const made::directory dir;
	const victim v({doing::futex, doing::read, doing::spin_user});
	const std::string pid = std::to_string(v.pid());
	const unsigned int kills = std::getenv("STACK9_LONG") ? 200 : 4;
	std::mt19937 random(1);
	for (unsigned int i = 0; i < kills; i++) {
		const pid_t child = fork();
		if (child == 0) {
			execl(STACKRECORD, "stackrecord", "-q", "-F", "100",
			    "--waits", "-p", pid.c_str(), "--record",
			    dir.path().c_str(), nullptr);
			_exit(127);
		}
		usleep(random() % 250000);
		kill(child, SIGKILL);
		int status = 0;
		BOOST_REQUIRE(waitpid(child, &status, 0) == child);
		BOOST_REQUIRE(WIFSIGNALED(status));
	}
	for (const std::string &name : dir.segments()) {
		recording::reading r;
		unconcerned all;
		BOOST_TEST(recording::read_file(dir.path() + "/" + name, all,
		    r) == 0);
		BOOST_TEST(r.complaints.empty(), name);
	}
}

// Threads come and go as fast as they can.
BOOST_AUTO_TEST_CASE(threads_come_and_go, *needs("root") * needs("bpf") *
    description("the recorder's memory is bounded, whatever threads do"))
{
	const made::directory dir;
	const pid_t churn = fork();
	if (churn == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			std::thread([] { usleep(100); }).join();
	}
	const pid_t child = fork();
	if (child == 0) {
		execl(STACKRECORD, "stackrecord", "-q", "-F", "100", "-D",
		    std::getenv("STACK9_LONG") ? "120" : "0.5", "-p",
		    std::to_string(churn).c_str(), "-e", "offcpu", "--record",
		    dir.path().c_str(), nullptr);
		_exit(127);
	}
	int status = 0;
	rusage used{};
	BOOST_REQUIRE(wait4(child, &status, 0, &used) == child);
	kill(churn, SIGKILL);
	waitpid(churn, nullptr, 0);
	BOOST_TEST(status == 0);
	BOOST_TEST(used.ru_maxrss < 256 << 10);
	const said list = report({"--segments", dir.path()});
	BOOST_TEST(list.status == 0, list.err);
}

BOOST_AUTO_TEST_CASE(a_recorded_moment, *needs("root") * needs("bpf") *
    description("stackprint --record prints what stackprint printed then"))
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
		then.insert(then.end(), {"--record", dir.path()});
		const said live = stacks(now), recorded = stacks(then);
		BOOST_TEST(live.status == recorded.status);
		BOOST_TEST(live.out == recorded.out);
		BOOST_TEST(has(recorded.err, "recorded on "), recorded.err);
	}
	const said one = stacks({"--json", "--record", dir.path(), pid});
	BOOST_TEST(times(one.out, "\"tid\":") == 1, one.out);
	BOOST_TEST(stacks({"--record", dir.path(), "--at", "2001-01-01 00:00"})
	    .status == 2);
	BOOST_TEST(stacks({"--record", dir.path(), "-l"}).status == 64);
	BOOST_TEST(stacks({"--at", "14:03", pid}).status == 64);
}

BOOST_AUTO_TEST_CASE(waits_and_events, *needs("root") * needs("bpf") *
    description("stackreport asks by waits, events, on-CPU and off-CPU"))
{
	std::optional<made::directory> kept;
	const victim v({doing::futex, doing::read, doing::spin_user});
	const auto folded = [&](std::vector<std::string> more) {
		more.insert(more.end(), {"-f", "folded", kept->path()});
		return report(more).out;
	};
	unsigned long ticks = 0;
	std::string clock;
	// The start is in the time, and others may have the spinner's CPU.
	for (double seconds = 0.4; (ticks == 0 || samples(clock, "do_it") == 0)
	    && seconds < 30; seconds *= 2) {
		kept.emplace();
		const said recorded = record(kept->path(), v.pid(), {"--waits",
		    "-e", "cpu-clock:199", "-e", "offcpu"}, seconds);
		BOOST_TEST(recorded.status == 0, recorded.err);
		ticks = samples(folded({}), "pipe_read");
		clock = folded({"-e", "cpu-clock"});
		BOOST_TEST(samples(clock, "pipe_read") == 0U, clock);
	}
	const made::directory &dir = *kept;
	const std::string pipes = folded({"--wait", "pipe"});
	BOOST_TEST(samples(pipes, "pipe_read") == ticks);
	BOOST_TEST(samples(pipes, "") == ticks, pipes);
	BOOST_TEST(samples(folded({"--wait", "read"}), "") == ticks);
	const std::string on = folded({"--on-cpu"});
	const std::string off = folded({"--off-cpu"});
	BOOST_TEST(samples(on, "") == ticks, on);
	BOOST_TEST(samples(on, "") + samples(off, "") ==
	    samples(folded({}), ""));
	BOOST_TEST(samples(clock, "do_it") >= 1U, clock);
	const said list = report({"--segments", dir.path()});
	BOOST_TEST(has(list.out, "cpu-clock:199"), list.out);
	BOOST_TEST(has(report({"--history", dir.path()}).out,
	    "waits for pipe"));
	BOOST_TEST(report({"-e", "cpu-clock", "--on-cpu", dir.path()}).status ==
	    64);
	BOOST_TEST(run({STACKRECORD, "-e", "no:such:event", "--record",
	    dir.path()}).status == 2);
}

BOOST_AUTO_TEST_CASE(a_page_for_a_browser, *needs("root") * needs("bpf") *
    description("--heat-map writes a page that needs no network"))
{
	const made::directory dir;
	const victim v({doing::read});
	BOOST_REQUIRE(record(dir.path(), v.pid()).status == 0);
	// It slept all the time.
	BOOST_TEST(!has(report({"--heat-map", dir.path()}).out, "pipe_read"));
	const said page = report({"--heat-map", "--off-cpu", dir.path()});
	BOOST_TEST(page.status == 0, page.err);
	BOOST_TEST(has(page.out, "\"slots\":[["));
	BOOST_TEST(has(page.out, "pipe_read"));
	BOOST_TEST(times(page.out, "http") == 2);	// names of XML's
	BOOST_TEST(report({"--heat-map", "-f", "svg", dir.path()}).status ==
	    64);
}

BOOST_AUTO_TEST_CASE(errors_are_said, *description(
    "what is wrong with a command or a file is said"))
{
	const made::directory dir;
	BOOST_TEST(report({}).status == 64);
	BOOST_TEST(report({"--since", "soon", dir.path()}).status == 64);
	BOOST_TEST(report({"--stack", "(", dir.path()}).status == 64);
	BOOST_TEST(report({dir.path()}).status == 2);
	BOOST_TEST(report({dir.path() + "/none"}).status == 2);
	const said other = report({dir.file("no record")});
	BOOST_TEST(other.status == 2);
	BOOST_TEST(has(other.err, "it is not a record of stackrecord"),
	    other.err);
	BOOST_TEST(run({STACKRECORD}).status == 64);
	BOOST_TEST(run({STACKRECORD, "-F", "1000", "--record", "x"}).status ==
	    64);
}
