// stackprint and the other end of its descriptors: terminals and closed
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

using boost::unit_test::description;

namespace {

// What a run writes to a terminal on its stderr (and stdout).
std::string
on_terminal(const std::vector<std::string> &args, bool stdout_too)
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
	run(command, {.out = stdout_too ? slave : -1, .err = slave});
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
