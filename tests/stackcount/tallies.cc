// Tests stackcount(1) and stacksnoop(1): the closing line, what would help, and
// the exit status.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "programs.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(tallies)

BOOST_AUTO_TEST_CASE(complete_is_0,
    *description("EXIT STATUS: 0: Every event was kept, and its stacks are "
    "whole."))
{
	const said c = stackcount({"whole"});
	BOOST_TEST(c.status == 0);
	BOOST_TEST(has(c.out, "\n10 events: 10 kept, 4 stacks\n"));
	const said s = stacksnoop({"whole"});
	BOOST_TEST(s.status == 0);
	BOOST_TEST(has(s.out, "\n10 events: 10 kept\n"));
}

BOOST_AUTO_TEST_CASE(losses_are_named_and_1,
    *description("EXIT STATUS: 1: some events were not kept, or some stacks "
    "are not whole.  OUTPUT: each number that is not 0 is in the last line"))
{
	const char *numbers = ", 1 without room, 2 nested, "
	    "4 truncated, 5 skipped by the kernel, no place for 6 rules\n";
	const said c = stackcount({"whole"}, "interrupt losing");
	BOOST_TEST(c.status == 1);
	BOOST_TEST(has(c.out, std::string("13 events: 10 kept, 4 stacks") +
	    numbers));
	const said s = stacksnoop({"whole"}, "interrupt losing");
	BOOST_TEST(s.status == 1);
	BOOST_TEST(has(s.out, std::string("13 events: 10 kept") + numbers));
}

BOOST_AUTO_TEST_CASE(files_that_lack_something_are_reported,
    *description("A message says so once a file, with what would help."))
{
	const char *const told = "/one\\012, /two: it has no .dwo files\n";
	const char *const words = "interrupt file-notes";
	BOOST_TEST(has(stackcount({"whole"}, words).err, told));
	BOOST_TEST(has(stacksnoop({"whole"}, words).err, told));
	BOOST_TEST(has(stacksnoop({"--json", "whole"}, words).out,
	    "\"files\":[{\"file\":\"/one\\n\",\"lacks\":\"split-files\","));
	BOOST_TEST(!has(stacksnoop({"--json", "whole"}).out, "\"files\""));
}

BOOST_AUTO_TEST_CASE(files_that_are_left_out_are_reported,
    *description("--limits: All that is beyond a limit is left out, and "
    "the last line says so."))
{
	const char *const told = "; left out: files with many symbols (2), "
	    "perf maps that were cut (1), files not opened (3); --limits reads "
	    "more\n";
	const char *const words = "interrupt left-out";
	BOOST_TEST(has(stackcount({"whole"}, words).out,
	    std::string("10 kept, 4 stacks") + told));
	BOOST_TEST(has(stackcount({"--json", "whole"}, words).out,
	    "--limits reads more\""));
	BOOST_TEST(has(stacksnoop({"whole"}, words).out,
	    std::string("10 kept") + told));
	BOOST_TEST(has(stacksnoop({"--json", "whole"}, words).out,
	    "\"left_out\":{\"symbols\":2,\"perf-maps\":1,"
	    "\"descriptors\":3}"));
	BOOST_TEST(!has(stacksnoop({"--json", "whole"}).out, "left_out"));
	for (const auto program : {stackcount, stacksnoop}) {
		BOOST_TEST(has(program({"--limits", "2.5", "whole"},
		    "interrupt limits").err, "limits: 2.5\n"));
		BOOST_TEST(has(program({"whole"}, "interrupt limits").err,
		    "limits: -\n"));
		BOOST_TEST(program({"--limits", "0", "whole"}, "").status ==
		    64);
	}
}

BOOST_AUTO_TEST_CASE(each_loss_alone_is_1,
    *description("EXIT STATUS: 1: likewise if that alone is so"))
{
	for (const auto program : {stackcount, stacksnoop})
		for (const char *words : {"interrupt cutting",
			 "interrupt skipping"})
			BOOST_TEST(program({"whole"}, words).status == 1);
}

BOOST_AUTO_TEST_CASE(what_would_help_is_said,
    *description("DIAGNOSTICS: for each number that should be 0, what would "
    "help"))
{
	const std::string c = stackcount({"whole"}, "interrupt losing").err;
	BOOST_TEST(has(c, "more --stacks"));
	BOOST_TEST(has(c, "of a user stack 512 KiB are copied"));
	BOOST_TEST(has(c, "of a kernel stack the kernel gives 127 frames; try: "
	    "sysctl kernel.perf_event_max_stack=512 (it cannot be changed "
	    "while"));
	BOOST_TEST(has(stackcount({"--fp", "whole"}, "interrupt losing").err,
	    "not whole: the kernel gives 127 frames"));
	BOOST_TEST(has(stackcount({"--frames", "1024", "whole"},
	    "interrupt losing").err, ", no --frames"));
	BOOST_TEST(has(c, "handling four others"));
	BOOST_TEST(has(c, "not shown by the kernel"));
	const std::string s = stacksnoop({"whole"}, "interrupt losing").err;
	BOOST_TEST(has(s, "a larger --ring"));
	BOOST_TEST(has(stackcount({"--frames", "127", "whole"},
	    "interrupt losing").err, "more --frames"));
	BOOST_TEST(stackcount({"-q", "whole"}, "interrupt").err == "");
}

BOOST_AUTO_TEST_CASE(nothing_is_2,
    *description("EXIT STATUS: 2: there was no event, or none could be "
    "watched"))
{
	for (const auto program : {stackcount, stacksnoop}) {
		const said s = program({"none"}, "interrupt");
		BOOST_TEST(s.status == 2);
		BOOST_TEST(has(s.out, "0 events: 0 kept"));
		BOOST_TEST(program({"whole"}, "no-watch").status == 2);
	}
}

BOOST_AUTO_TEST_CASE(a_refusal_says_why,
    *description("DIAGNOSTICS: EVENT: the reason, as the library has it"))
{
	BOOST_TEST(stackcount({"whole"}, "no-watch").err ==
	    "stackcount: whole: it takes CAP_BPF\n");
	BOOST_TEST(stacksnoop({"x\001"}, "").err ==
	    "stacksnoop: x\\001: there is no \\033 event of that name\n");
	BOOST_TEST(stackcount({"whole"}, "no-reason").err ==
	    "stackcount: whole: Operation not permitted\n");
}

BOOST_AUTO_TEST_CASE(nobody_to_watch,
    *description("DIAGNOSTICS: pid N: no such process. tid N: no such thread"))
{
	const auto err = [](const arguments &args) {
		const said s = stackcount(args, "no-process");
		BOOST_TEST(s.status == 2);
		return s.err;
	};
	BOOST_TEST(err({"-p", "11", "whole"}) ==
	    "stackcount: pid 11: no such process\n");
	BOOST_TEST(err({"-t", "12", "whole"}) ==
	    "stackcount: tid 12: no such thread\n");
	BOOST_TEST(err({"-p", "11", "-t", "12", "whole"}) ==
	    "stackcount: tid 12: no such thread of pid 11\n");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_copied_is_walked)
{
	for (const auto program : {stackcount, stacksnoop}) {
		const said s = program({"whole"}, "no-copies interrupt");
		BOOST_TEST(has(s.err, "user stacks by frame pointers, as by "
		    "--fp: no copies; --fp walks them\n"), s.err);
		BOOST_TEST(has(s.out, "10 events: 10 kept"));
	}
}

// The first reason would advise what has failed.
BOOST_AUTO_TEST_CASE(the_reason_is_that_of_the_last_attempt)
{
	const said s = stackcount({"whole"}, "no-copies no-walks");
	BOOST_TEST(s.err == "stackcount: whole: no walks\n");
	BOOST_TEST(s.status == 2);
}

BOOST_AUTO_TEST_CASE(a_failure_on_the_way_is_1,
    *description("EXIT STATUS: 1: the watch ended early; the stacks are "
    "printed"))
{
	for (const auto program : {stackcount, stacksnoop}) {
		const said s = program({"whole"}, "broken");
		BOOST_TEST(s.status == 1);
		BOOST_TEST(has(s.err, "Cannot allocate memory"));
		BOOST_TEST(has(s.out, "10 events: 10 kept"));
	}
}

BOOST_AUTO_TEST_CASE(hidden_names_are_reported,
    *description("DIAGNOSTICS: names are hidden ..."))
{
	for (const auto program : {stackcount, stacksnoop})
		BOOST_TEST(has(program({"whole"}, "interrupt names-hidden").err,
		    "names are hidden: they need CAP_SYSLOG"));
}

BOOST_AUTO_TEST_CASE(a_full_device_is_74,
    *description("EXIT STATUS: 74: The output could not be written."))
{
	for (const char *program : {STACKCOUNT_FAKE, STACKSNOOP_FAKE}) {
		const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
		BOOST_REQUIRE(full >= 0);
		const said s = run({program, "whole"}, {.environment =
		    {"STACK9_FAKE=interrupt"}, .out = full});
		close(full);
		BOOST_TEST(s.status == 74);
		BOOST_TEST(has(s.err, "No space left on device"));
	}
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_made_is_74,
    *description("EXIT STATUS: 74: likewise, before anything is watched"))
{
	for (const auto program : {stackcount, stacksnoop}) {
		const said s = program({"-o", "/nonexistent/x", "whole"},
		    "told interrupt");
		BOOST_TEST(s.status == 74);
		BOOST_TEST(has(s.err, "/nonexistent/x: No such file"));
		BOOST_TEST(!has(s.err, "told"));
	}
	BOOST_TEST(stackcount({"-g", "/nonexistent/x.svg", "whole"}).status ==
	    74);
}

BOOST_AUTO_TEST_SUITE_END()
