// Tests stackprint with the other ends of its descriptors: terminals and closed
// pipes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <thread>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "child.h"
#include "require.h"
#include "tools/lib/terminal_text.h"

using boost::unit_test::description;

namespace {

// Gives what a run writes to a terminal on its stderr (and stdout).
std::string
on_terminal(const std::vector<std::string> &args, bool stdout_too,
    const std::vector<std::string> &environment = {"NO_COLOR=1"})
{
	const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	BOOST_REQUIRE(master >= 0);
	BOOST_REQUIRE(grantpt(master) == 0);
	BOOST_REQUIRE(unlockpt(master) == 0);
	const int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	BOOST_REQUIRE(slave >= 0);
	std::string seen;
	std::thread reader([&] {
		char text[4096];
		ssize_t n;
		while ((n = read(master, text, sizeof text)) > 0)
			seen.append(text, static_cast<std::size_t>(n));
	});
	std::vector<std::string> command = args;
	command.insert(command.begin(), STACKPRINT_FAKE);
	run(command, {.environment = environment,
	    .out = stdout_too ? slave : -1, .err = slave});
	close(slave);	// the last one: the reader ends with EIO
	reader.join();
	close(master);
	return seen;
}

} // namespace

BOOST_AUTO_TEST_SUITE(terminal)

BOOST_AUTO_TEST_CASE(progress_comes_and_goes, *needs("terminal")
    * description("OUTPUT: If standard error is a terminal and standard output "
    "is not, the number of threads so far is shown there and erased at the "
    "end."))
{
	const std::string seen = on_terminal({"-p", "5000100"}, false);
	BOOST_TEST(has(seen, "\r512 threads"));
	BOOST_TEST(has(seen, "\r1536 threads"));
	const std::string erased = "\r" + std::string(12, ' ') + "\r";
	BOOST_TEST(seen.substr(seen.size() - erased.size()) == erased);
}

BOOST_AUTO_TEST_CASE(no_progress_in_between_stacks, *needs("terminal")
    * description("OUTPUT: no progress where the stacks are on the terminal "
    "too"))
{
	const std::string seen = on_terminal({"-p", "5000100"}, true);
	BOOST_TEST(has(seen, "2000 threads: "));
	BOOST_TEST(!has(seen, "\r512 threads"));
}

BOOST_AUTO_TEST_CASE(many_threads_are_grouped, *needs("terminal")
    * description("--group: On a terminal this is the usual way to show one "
    "process of more than 20 threads, and thread ids are cut after three lines "
    "unless -v is given."))
{
	std::vector<std::thread> sleepers;
	int ends[2];
	BOOST_REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
	for (int i = 0; i < 24; i++)
		sleepers.emplace_back([&] {
			char c;
			static_cast<void>(!read(ends[0], &c, 1));
		});
	const std::string self = std::to_string(getpid());
	BOOST_TEST(has(on_terminal({"-p", self}, true), "  tids    "));
	BOOST_TEST(!has(on_terminal({"-p", self, "--no-group"}, true),
	    "  tids    "));
	BOOST_TEST(!has(stackprint({"-p", self}).out, "  tids    "));
	close(ends[1]);
	for (std::thread &t : sleepers)
		t.join();
	close(ends[0]);
}

BOOST_AUTO_TEST_CASE(colours_are_for_terminals, *needs("terminal")
    * description("NO_COLOR: If it is set and not empty, nothing is coloured. "
    "Nothing is coloured where TERM is dumb, or in a file or pipe."))
{
	const std::vector<std::string> one = {"5000001"};
	BOOST_TEST(has(on_terminal(one, true, {"TERM=xterm", "NO_COLOR="}),
	    "\033[1mnginx  pid 5000000"));
	const std::vector<std::string> without[] = {{"TERM=xterm",
	    "NO_COLOR=1"}, {"TERM=dumb", "NO_COLOR="}, {"TERM=", "NO_COLOR="}};
	for (const auto &environment : without)
		BOOST_TEST(!has(on_terminal(one, true, environment), "\033"),
		    environment[0]);
	BOOST_TEST(!has(run({STACKPRINT_FAKE, "5000001"}, {.environment =
	    {"TERM=xterm"}}).out, "\033"));
}

BOOST_AUTO_TEST_CASE(files_are_named_once, *needs("terminal")
    * description("OUTPUT: If standard output is a terminal, a message at the "
    "end names the files that lack names, and those that were deleted or "
    "replaced after they had been mapped."))
{
	const std::string seen = on_terminal({"-p", "5000100"}, true);
	BOOST_TEST(times(seen, "deleted or replaced after it was mapped: "
	    "/usr/sbin/nginx") == 1u);
	BOOST_TEST(!has(stackprint({"5000001"}).err, "deleted or replaced"));
}

BOOST_AUTO_TEST_CASE(letters_beyond_ascii,
    *description("OUTPUT: On a terminal, if the locale is UTF-8, letters are "
    "shown as they are; controls and what changes the direction of text never "
    "are."))
{
	using screens::with_letters;
	setenv("LC_ALL", "C.UTF-8", 1);
	BOOST_TEST(with_letters("stra\\303\\237e\n") == "straße\n");
	BOOST_TEST(with_letters("\\346\\227\\245  pid 1") == "日  pid 1");
	// Columns stay where they are.
	BOOST_TEST(with_letters("  \\303\\251  libx.so") ==
	    "  é" + std::string(9, ' ') + "libx.so");
	for (const char *kept : {"\\033[2J", "\\302\\233", "\\342\\200\\256",
	    "\\342\\201\\246", "\\314\\201", "\\303", "\\300\\257",
	    "\\355\\240\\200", "\\357\\273\\277", "\\377", "\\342\\200\\250",
	    "\\\\303\\\\251", "\\303\\\\251", "\\364\\220\\200\\200"})
		BOOST_TEST(with_letters(kept) == kept);
	setenv("LC_ALL", "C", 1);
	BOOST_TEST(with_letters("\\303\\237") == "\\303\\237");
	unsetenv("LC_ALL");
}

BOOST_AUTO_TEST_CASE(no_progress_without_a_terminal,
    *description("OUTPUT: no progress where there is no terminal"))
{
	BOOST_TEST(stackprint({"-p", "5000100"}).err == "");
}

BOOST_AUTO_TEST_CASE(a_closed_pipe_ends_it_quietly,
    *description("EXIT STATUS: A closed pipe ends stackprint without a word, "
    "by SIGPIPE or, where that is ignored, with 74."))
{
	int ends[2];
	BOOST_REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
	close(ends[0]);
	const std::vector<std::string> all = {STACKPRINT_FAKE, "-p", "5000100"};
	const said killed = run(all, {.out = ends[1]});
	BOOST_TEST(killed.status == 128 + SIGPIPE);
	BOOST_TEST(killed.err == "");
	const said told = run(all, {.before_exec = [] {
		signal(SIGPIPE, SIG_IGN); }, .out = ends[1]});
	BOOST_TEST(told.status == 74);
	BOOST_TEST(told.err == "");
	close(ends[1]);
}

BOOST_AUTO_TEST_SUITE_END()
