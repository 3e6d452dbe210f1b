// Tests stackcount(1) and stacksnoop(1) with the other ends of their
// descriptors: terminals, closed pipes, and readers that wait.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <thread>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "programs.h"
#include "require.h"

using boost::unit_test::description;

namespace {

// Gives what a run writes to a terminal on its stderr, its stdout, or both.
struct seen {
	said		rest;
	std::string	terminal;
};

seen
on_terminal(const char *program, arguments args, bool out, bool err)
{
	const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	BOOST_REQUIRE(master >= 0);
	BOOST_REQUIRE(grantpt(master) == 0);
	BOOST_REQUIRE(unlockpt(master) == 0);
	const int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	BOOST_REQUIRE(slave >= 0);
	seen s;
	std::thread reader([&] {
		char text[4096];
		ssize_t n;
		while ((n = read(master, text, sizeof text)) > 0)
			s.terminal.append(text, static_cast<std::size_t>(n));
	});
	args.insert(args.begin(), program);
	s.rest = run(args, {.environment = {"STACK9_FAKE=interrupt"},
	    .out = out ? slave : -1, .err = err ? slave : -1});
	close(slave);	// the last one: the reader ends with EIO
	reader.join();
	close(master);
	return s;
}

} // namespace

BOOST_AUTO_TEST_SUITE(terminal)

BOOST_AUTO_TEST_CASE(progress_comes_and_goes, *needs("terminal")
    * description("OUTPUT: on a terminal, while events are counted, how many, "
    "how many stacks, how many are lost; erased at the end"))
{
	const std::string line = "\r10 events, 4 stacks, 0 lost";
	const std::string erased =
	    "\r" + std::string(line.size() - 1, ' ') + "\r";
	for (const bool out : {false, true}) {
		const auto s = on_terminal(STACKCOUNT_FAKE, {"whole"}, out,
		    true);
		const auto shown = s.terminal.find(line);
		BOOST_REQUIRE(shown != s.terminal.npos);
		BOOST_TEST(s.terminal.find(erased) > shown);
		BOOST_TEST(has(s.terminal, erased));
	}
	BOOST_TEST(!has(on_terminal(STACKCOUNT_FAKE, {"-q", "whole"}, false,
	    true).terminal, "\r10 events"));
}

BOOST_AUTO_TEST_CASE(no_progress_in_between_stacks, *needs("terminal")
    * description("OUTPUT: of stacksnoop only where the stacks go elsewhere"))
{
	BOOST_TEST(has(on_terminal(STACKSNOOP_FAKE, {"whole"}, false, true)
	    .terminal, "\r10 events, 4 stacks, 0 lost"));
	BOOST_TEST(!has(on_terminal(STACKSNOOP_FAKE, {"whole"}, true, true)
	    .terminal, "0 lost"));
}

BOOST_AUTO_TEST_CASE(pictures_are_not_for_terminals, *needs("terminal")
    * description("-f: pprof, svg and html are not written to a terminal."))
{
	for (const char *format : {"pprof", "svg", "html"}) {
		const seen s = on_terminal(STACKCOUNT_FAKE,
		    {"-f", format, "whole"}, true, false);
		BOOST_TEST(s.rest.status == 64);
		BOOST_TEST(has(s.rest.err, "give -o FILE"));
		BOOST_TEST(s.terminal == "");
	}
	BOOST_TEST(on_terminal(STACKCOUNT_FAKE, {"-f", "json", "whole"}, true,
	    false).rest.status == 0);
}

BOOST_AUTO_TEST_CASE(a_closed_pipe_ends_it_quietly,
    *description("EXIT STATUS: A closed pipe ends stackcount without a word, "
    "by SIGPIPE or, where that is ignored, with 74."))
{
	int ends[2];
	BOOST_REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
	close(ends[0]);
	for (const char *program : {STACKCOUNT_FAKE, STACKSNOOP_FAKE}) {
		const arguments all = {program, "-q", "whole"};
		const arguments env = {"STACK9_FAKE=interrupt"};
		const said killed = run(all,
		    {.environment = env, .out = ends[1]});
		BOOST_TEST(killed.status == 128 + SIGPIPE);
		BOOST_TEST(killed.err == "");
		const said told = run(all, {.environment = env,
		    .before_exec = [] { signal(SIGPIPE, SIG_IGN); },
		    .out = ends[1]});
		BOOST_TEST(told.status == 74);
		BOOST_TEST(told.err == "");
	}
	close(ends[1]);
}

// It is read here until the last event is there, and only then ended.
BOOST_AUTO_TEST_CASE(events_are_seen_as_they_happen,
    *description("DESCRIPTION: An event is written when it happens, not when a "
    "block is full."))
{
	int ends[2];
	BOOST_REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
	const pid_t pid = fork();
	BOOST_REQUIRE(pid >= 0);
	if (pid == 0) {
		dup2(ends[1], 1);
		execl(STACKSNOOP_FAKE, "stacksnoop", "-q", "-k", "whole",
		    nullptr);
		_exit(127);
	}
	close(ends[1]);
	std::string all;
	char text[4096];
	ssize_t n = 1;
	while (n > 0 && !has(all, "\n10.123456789 ")) {
		n = read(ends[0], text, sizeof text);
		all.append(text, static_cast<std::size_t>(n > 0 ? n : 0));
	}
	BOOST_TEST(n > 0);
	kill(pid, SIGINT);
	int status = -1;
	waitpid(pid, &status, 0);
	close(ends[0]);
	BOOST_TEST(WIFEXITED(status));
	BOOST_TEST(WEXITSTATUS(status) == 0);
}

BOOST_AUTO_TEST_CASE(a_closed_stream_is_no_file_of_the_programs_own,
    *description("EXIT STATUS: 74: The output could not be written."))
{
	const scratch_file graph(".svg");
	const std::vector<std::string> command{STACKCOUNT_FAKE, "-q", "-g",
	    graph.path(), "whole"};
	const std::vector<std::string> words{"STACK9_FAKE=interrupt"};
	const said out = run(command, {.environment = words,
	    .before_exec = [] { close(1); }});
	BOOST_TEST(out.status == 74);
	BOOST_TEST(out.err ==
	    "stackcount: standard output: Bad file descriptor\n");
	BOOST_TEST(graph.text().find("10 kept, 4 stacks\n") ==
	    std::string::npos);
	const said none = run(command, {.environment = words,
	    .before_exec = [] { close(0); close(1); close(2); }});
	BOOST_TEST(none.status == 74);
	BOOST_TEST(graph.text().find("standard output") == std::string::npos);
	const said snoop = run({STACKSNOOP_FAKE, "-q", "whole"},
	    {.environment = words, .before_exec = [] { close(1); }});
	BOOST_TEST(snoop.status == 74);
}

BOOST_AUTO_TEST_SUITE_END()
