// Tests stackprint(1), EXIT STATUS, and what the command line may hold.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <unistd.h>

#include "child.h"
#include "fake.h"

using boost::unit_test::description;

namespace {

int
status(std::vector<pid_t> tids, const std::string &words = "")
{
	std::vector<std::string> args;
	for (const pid_t t : tids)
		args.push_back(std::to_string(t));
	return stackprint(args, words).status;
}

} // namespace

BOOST_AUTO_TEST_SUITE(exit_status)

BOOST_AUTO_TEST_CASE(complete_is_0,
    *description("EXIT STATUS: Every stack is whole. A thread in user mode has "
    "no kernel stack and a kernel thread has no user stack. Neither counts as "
    "missing."))
{
	BOOST_TEST(status({fake::whole}) == 0);
	BOOST_TEST(status({fake::user_mode}) == 0);
	BOOST_TEST(status({fake::kthread}) == 0);
	for (const char *side : {"-k", "-u"})
		BOOST_TEST(stackprint({side, "5000001", "5000008", "5000014"})
		    .status == 0);
	BOOST_TEST(status({fake::whole, fake::user_mode}) == 0);
}

BOOST_AUTO_TEST_CASE(partial_is_1,
    *description("EXIT STATUS: 1: some stack is missing, or not whole"))
{
	BOOST_TEST(status({fake::truncated}) == 1);
	BOOST_TEST(status({fake::torn_short}) == 1);
	for (const pid_t t : {fake::torn, fake::zombie, fake::refused,
		 fake::impossible})
		BOOST_TEST(status({fake::whole, t}) == 1);
	BOOST_TEST(status({fake::user_refused}) == 1);
	BOOST_TEST(status({fake::whole}, "no-kernel") == 1);
	BOOST_TEST(stackprint({"--frames", "1", "5000001"}).status == 1);
}

BOOST_AUTO_TEST_CASE(none_is_2,
    *description("EXIT STATUS: 2: No stack was printed."))
{
	for (const pid_t t : {fake::torn, fake::zombie, fake::refused,
		 fake::impossible, fake::process})
		BOOST_TEST(status({t}) == 2);
	BOOST_TEST(stackprint({"-k", "5000008"}).status == 2);
	BOOST_TEST(stackprint({"-u", "5000014"}).status == 2);
	BOOST_TEST(stackprint({"-p", "4999999"}).status == 2);
}

BOOST_AUTO_TEST_CASE(a_pass_that_ends_early_is_1,
    *description("EXIT STATUS: 1: some stack is missing: those behind the "
    "end of a pass that failed"))
{
	const std::string crowd = std::to_string(fake::crowd);
	BOOST_TEST(stackprint({"-p", crowd}).status == 0);
	const said s = stackprint({"-p", crowd}, "no-end");
	BOOST_TEST(s.status == 1);
	BOOST_TEST(has(s.err, "ended early"));
}

BOOST_AUTO_TEST_CASE(a_vanished_thread_of_a_process_is_no_failure,
    *description("EXIT STATUS: a thread that is gone counts only if it was "
    "named"))
{
	BOOST_TEST(stackprint({"-p", std::to_string(fake::vanishing)}).status ==
	    0);
	BOOST_TEST(status({fake::whole, fake::zombie}) == 1);
}

const std::vector<std::vector<std::string>> wrong = {
	{}, {"-x"}, {"0"}, {"-5"}, {"--", "-5"}, {"one"}, {"12x"}, {"0x10"},
	{"010"}, {"99999999999"}, {"-p"}, {"-p", "0"}, {"-p", "x"},
	{"--frames", "0", "1"}, {"--frames", "65537", "1"},
	{"--frames", "-1", "1"}, {"--frames", "3"},
	{"-n", "3", "1"}, {"-i", "1"}, {"-r", "1"},
	{"-p", "1", "2"}, {"-a", "2"}, {"-a", "-p", "2"}, {"--check", "1"},
	{"--check", "--pin", "/x"}, {"--pin"}, {""}, {"-k", "-l", "1"},
	{"-k", "-I", "1"}, {"-k", "--stop", "1"}, {"--debuginfod", "1"},
	{"--stop", "-a"}, {"--async"}, {"--async=x", "1"}, {"--async=-1", "1"},
	{"--async=1e3", "1"}, {"--async=0x1", "1"}, {"--async=1.2.3", "1"},
	{"--async=.", "1"}, {"--async=86401", "1"}, {"--now", "1"},
	{"--async", "--now", "-a"}, {"--async", "--now", "-k", "1"},
	{"--async", "--stop", "1"},
};

BOOST_TEST_DECORATOR(*description("EXIT STATUS: 64: the command line is "
    "wrong; it says how, and the usage, on standard error"))
BOOST_DATA_TEST_CASE(usage_is_64,
    boost::unit_test::data::xrange(wrong.size()), i)
{
	const said s = stackprint(wrong[i]);
	BOOST_TEST(s.status == 64);
	BOOST_TEST(s.out == "");
	BOOST_TEST(has(s.err, "stackprint: "));
	BOOST_TEST(has(s.err, "usage: stackprint"));
}

BOOST_AUTO_TEST_CASE(help_and_version_are_0,
    *description("DESCRIPTION: Print the options on standard output. Print the "
    "version on standard output."))
{
	for (const char *o : {"-h", "--help"}) {
		const said s = stackprint({o});
		BOOST_TEST(s.status == 0);
		BOOST_TEST(has(s.out, "--check"));
		BOOST_TEST(s.err == "");
	}
	for (const char *o : {"-V", "--version"}) {
		const said s = stackprint({o});
		BOOST_TEST(s.status == 0);
		BOOST_TEST(s.out == "stackprint 0.3.0\n");
	}
}

BOOST_AUTO_TEST_CASE(long_options_are_the_short_ones,
    *description("DESCRIPTION: --all, --pid, --frames, --verbose, --kernel, "
    "--user, --inlines, --lines, --raw"))
{
	const auto out = [](const std::vector<std::string> &args) {
		return stackprint(args).out;
	};
	BOOST_TEST(out({"--all"}) == out({"-a"}));
	BOOST_TEST(out({"--pid", "5000000"}) == out({"-p", "5000000"}));
	BOOST_TEST(out({"--frames=2", "--verbose", "5000001"}) ==
	    out({"-v", "--frames", "2", "5000001"}));
	BOOST_TEST(out({"--kernel", "5000001"}) == out({"-k", "5000001"}));
	BOOST_TEST(out({"--user", "--inlines", "--lines", "--raw", "5000001"})
	    == out({"-uIlR", "5000001"}));
	BOOST_TEST(out({"-ku", "5000001"}) == out({"5000001"}));
}

BOOST_AUTO_TEST_CASE(pin_keeps_programs,
    *description("--pin: keeps programs in dir; alone it does no more"))
{
	BOOST_TEST(stackprint({"--pin", "/bpffs"}).status == 0);
	const said then = stackprint({"--pin", "/bpffs", "5000001"});
	BOOST_TEST(then.status == 0);
	BOOST_TEST(has(then.out, "ep_poll"));
	const said no = stackprint({"--pin", "/tmp", "5000001"});
	BOOST_TEST(no.status == 2);
	BOOST_TEST(has(no.err, "--pin /tmp"));
	BOOST_TEST(has(no.err, "mount -t bpf"));
}

BOOST_AUTO_TEST_CASE(a_full_device_is_74,
    *description("EXIT STATUS: 74: Standard output could not be written."))
{
	const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	BOOST_REQUIRE(full >= 0);
	const said s = run({STACKPRINT_FAKE, "5000001"}, {.out = full});
	close(full);
	BOOST_TEST(s.status == 74);
	BOOST_TEST(has(s.err, "No space left on device"));
}

BOOST_AUTO_TEST_SUITE_END()
