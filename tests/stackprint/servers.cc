// Tests that stackprint looks at programs of a file system whose server does
// not answer, and comes back.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <chrono>

#include <sys/wait.h>

#include "child.h"
#include "file_server.h"
#include "require.h"

using boost::unit_test::description;

namespace {

double
seconds_since(std::chrono::steady_clock::time_point begin)
{
	return std::chrono::duration<double>(
	    std::chrono::steady_clock::now() - begin).count();
}

said
look_and_hear(const file_server &s, std::vector<std::string> more = {})
{
	std::vector<std::string> args = {STACKPRINT, "-u",
	    std::to_string(s.program())};
	args.insert(args.end(), more.begin(), more.end());
	return run(args);
}

std::string
look(const file_server &s, std::vector<std::string> more = {})
{
	return look_and_hear(s, std::move(more)).out;
}

bool
is_missing(const file_server &s)
{
	if (!s.is_there())
		BOOST_TEST_MESSAGE("not run: no FUSE here");
	return !s.is_there();
}

} // namespace

BOOST_AUTO_TEST_SUITE(servers_of_files, *needs("mounts") * needs("bpf")
    * boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(one_that_answers_is_no_hindrance)
{
	const file_server s(PAUSES, file_server::silence::none);
	if (is_missing(s))
		return;
	const std::string out = look(s);
	BOOST_TEST(has(out, "main+"), out);
	BOOST_TEST(!has(out, "left out"), out);
}

BOOST_AUTO_TEST_CASE(one_of_another_user_is_unwound_by_memory)
{
	const file_server s(PAUSES, file_server::silence::none, true);
	if (is_missing(s))
		return;
	const said all = look_and_hear(s);
	const std::string &out = all.out;
	BOOST_TEST(has(out, "program+0x"), out);
	BOOST_TEST(has(out, "complete"), out);
	BOOST_TEST(!has(out, "by frame pointers"), out);
	BOOST_TEST(has(all.err, "program: this user may not open it, so its "
	    "functions have no names"), all.err);
	BOOST_TEST(!has(all.err, "debug symbols"), all.err);
}

BOOST_AUTO_TEST_CASE(one_that_opens_no_files_costs_a_second, *description(
    "A server of files, NFS's or FUSE's, may take a second to open one; if it "
    "takes longer, it is not asked again for a minute."))
{
	const file_server s(PAUSES, file_server::silence::opening);
	if (is_missing(s))
		return;
	const auto begin = std::chrono::steady_clock::now();
	const std::string out = look(s);
	BOOST_TEST(seconds_since(begin) < 10);	// on a busy machine
	BOOST_TEST(has(out, "program"), out);
	BOOST_TEST(has(out, "left out"), out);
	BOOST_TEST(has(out, "did not answer in time"), out);
}

// The process that reads cannot be killed then, and is abandoned.
BOOST_AUTO_TEST_CASE(one_that_reads_no_files_ends_the_reader)
{
	const file_server s(PAUSES, file_server::silence::reading);
	if (is_missing(s))
		return;
	const auto begin = std::chrono::steady_clock::now();
	const std::string out = look(s, {"--limits", "0.05"});
	BOOST_TEST(seconds_since(begin) < 20);
	// On a busy machine it may be too slow to open files, too.
	BOOST_TEST((has(out, "took too long") ||
	    has(out, "did not answer in time")), out);
}

BOOST_AUTO_TEST_SUITE_END()
