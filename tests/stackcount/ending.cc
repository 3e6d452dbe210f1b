// Tests what ends stackcount(1) and stacksnoop(1), and the command that they
// run.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../stackprint/lender.h"
#include "programs.h"
#include "require.h"

using boost::unit_test::description;

namespace {

constexpr auto both = {stackcount, stacksnoop};

// "the format: text, folded, json, pprof, speedscope, svg or html"
std::vector<std::string>
formats_of_help()
{
	const std::string help = stackcount({"--help"}, "").out;
	const std::string begin = "the format: ";
	std::istringstream line(help.substr(help.find(begin) + begin.size()));
	std::vector<std::string> all;
	for (std::string word; line >> word && word != "or";)
		all.push_back(word.substr(0, word.find(',')));
	std::string last;
	line >> last;
	all.push_back(last);
	BOOST_TEST(all.size() > 6u);
	return all;
}

std::string
between(const std::string &text, const std::string &begin, char end)
{
	const auto at = text.find(begin);
	if (at == text.npos)
		return "";
	const auto from = at + begin.size();
	return text.substr(from, text.find(end, from) - from);
}

} // namespace

BOOST_AUTO_TEST_SUITE(ending)

BOOST_AUTO_TEST_CASE(signals_end_it_and_all_is_printed,
    *description("DESCRIPTION: It counts until SIGINT (Ctrl-C) or SIGTERM, and "
    "then prints the stacks."))
{
	for (const auto program : both)
		for (const char *word : {"interrupt", "terminate"}) {
			const said s = program({"whole"}, word);
			BOOST_TEST(s.status == 0);
			BOOST_TEST(has(s.out, "10 events: 10 kept"));
		}
}

BOOST_AUTO_TEST_CASE(a_second_signal_kills,
    *description("DESCRIPTION: A second SIGINT ends it at once."))
{
	for (const auto program : both)
		BOOST_TEST(program({"whole"}, "interrupt twice").status ==
		    128 + SIGINT);
}

BOOST_AUTO_TEST_CASE(c_ends_it,
    *description("-c: End after so many events."))
{
	for (const auto program : both)
		BOOST_TEST(has(program({"-c", "10", "whole"}, "").out,
		    "10 events: 10 kept"));
}

BOOST_AUTO_TEST_CASE(d_ends_it,
    *description("-D: End after so many seconds, or 10m or 12h; fractions "
    "are allowed."))
{
	using clock = std::chrono::steady_clock;
	for (const auto program : both) {
		const auto begin = clock::now();
		const said s = program({"-D", "0.3", "whole"}, "");
		BOOST_TEST((clock::now() - begin >=
		    std::chrono::milliseconds(300)));
		BOOST_TEST(has(s.out, "10 events: 10 kept"));
	}
}

BOOST_AUTO_TEST_CASE(the_end_of_the_process_does_not_end_it,
    *description("-p: Their end does not end "
    "stackcount."))
{
	using clock = std::chrono::steady_clock;
	for (const auto program : both) {
		const auto begin = clock::now();
		const said s = program({"-p", "11", "-D", "0.3", "whole"},
		    "over");
		BOOST_TEST((clock::now() - begin >=
		    std::chrono::milliseconds(300)));
		BOOST_TEST(has(s.out, "10 events: 10 kept"));
		BOOST_TEST(s.status == 0);
	}
}

BOOST_AUTO_TEST_CASE(it_says_what_it_does,
    *description("OUTPUT: At the beginning a line on standard error says what "
    "is watched."))
{
	BOOST_TEST(stackcount({"whole"}).err == "stackcount: counting stacks "
	    "of whole (1 event); Ctrl-C ends\n");
	BOOST_TEST(stacksnoop({"many:*"}).err == "stacksnoop: showing stacks "
	    "of many:* (2 events); Ctrl-C ends\n");
	for (const auto program : both)
		BOOST_TEST(program({"-q", "whole"}, "interrupt").err == "");
}

BOOST_AUTO_TEST_CASE(quiet_is_quiet,
    *description("-q: Print nothing on standard error except what is wrong."))
{
	const scratch_file file(".txt"), graph(".svg");
	for (const auto program : both)
		for (const char *format : {"text", "json"}) {
			BOOST_TEST(program({"-qf", format, "whole"},
			    "interrupt").err == "", format);
			BOOST_TEST(program({"-qf", format, "-o", file.path(),
			    "whole"}, "interrupt").err == "", format);
			BOOST_TEST(has(program({"-qf", format, "whole"},
			    "interrupt losing").err, "--ring"));
		}
	for (const std::string &format : formats_of_help())
		BOOST_TEST(stackcount({"-qf", format, "-g", graph.path(),
		    "whole"}).err == "", format);
	BOOST_TEST(stacksnoop({"-qf", "perf", "whole"}).err == "");
}

BOOST_AUTO_TEST_CASE(a_command_is_run_and_watched,
    *description("DESCRIPTION: It is run, and only the events of its process "
    "are counted. Its end ends stackcount."))
{
	for (const auto program : both) {
		const said s = program({"whole", "--", "/bin/sh", "-c",
		    "echo pid $$ $0 $1", "-x", "--"}, "told");
		BOOST_TEST(has(s.out, "pid " + between(s.err,
		    "told: whole pid ", ' ') + " -x --\n"));
		BOOST_TEST(has(s.out, "10 events: 10 kept"));
		BOOST_TEST(s.status == 0);
	}
}

BOOST_AUTO_TEST_CASE(a_command_waits_for_the_watch,
    *description("DESCRIPTION: it begins when it is watched; where it cannot "
    "be, it is not run"))
{
	for (const auto program : both) {
		const said s = program({"whole", "--", "echo", "ran"},
		    "no-watch");
		BOOST_TEST(s.status == 2);
		BOOST_TEST(s.out == "");
	}
}

BOOST_AUTO_TEST_CASE(a_command_that_is_not_there,
    *description("EXIT STATUS: 2: the command could not be run"))
{
	for (const auto program : both) {
		const said s = program({"whole", "--", "/nonexistent"}, "");
		BOOST_TEST(s.status == 2);
		BOOST_TEST(has(s.err, "/nonexistent: No such file"));
	}
}

// run() returns when nobody has the pipes any more.
BOOST_AUTO_TEST_CASE(a_command_does_not_outlive_it,
    *description("DESCRIPTION: If something else ends stackcount, the command "
    "gets SIGTERM."))
{
	for (const auto program : both)
		BOOST_TEST(program({"-c", "10", "whole", "--", "sleep",
		    "100000"}, "").status == 0);
}

BOOST_AUTO_TEST_CASE(a_command_has_the_true_standard_output,
    *description("-o: The file does not have the output of a command."))
{
	const scratch_file file(".txt");
	const said s = stackcount({"-o", file.path(), "whole", "--", "echo",
	    "ran"}, "");
	BOOST_TEST(s.out == "ran\n");
	BOOST_TEST(!has(file.text(), "ran"));
	BOOST_TEST(has(file.text(), "10 events"));
}

BOOST_AUTO_TEST_CASE(a_file_is_kept_until_the_event_is_watched,
    *description("-o: The file keeps what it has until the event is watched."))
{
	const scratch_file file(".txt"), graph(".svg");
	for (const std::string &path : {file.path(), graph.path()})
		std::ofstream(path) << "what it had, which is more\n" <<
		    std::string(100000, 'x');
	for (const auto program : both) {
		BOOST_TEST(program({"-o", file.path(), "unknown"}, "").status ==
		    2);
		BOOST_TEST(has(file.text(), "what it had"));
	}
	BOOST_TEST(stackcount({"-g", graph.path(), "unknown"}, "").status == 2);
	BOOST_TEST(has(graph.text(), "what it had"));
	stackcount({"-o", file.path(), "-g", graph.path(), "whole"});
	for (const std::string &text : {file.text(), graph.text()})
		BOOST_TEST(!has(text, "xxxx"));
	BOOST_TEST(has(file.text(), "10 events"));
	BOOST_TEST(has(graph.text(), "</svg>\n"));
	BOOST_TEST(stacksnoop({"-o", "/dev/null", "whole"}).status == 0);
}

BOOST_AUTO_TEST_CASE(rights_are_not_lent, *needs("root")
    * description("RIGHTS: with capabilities of its file, or set-user-ID, it "
    "refuses"))
{
	for (const char *program : {STACKCOUNT_FAKE, STACKSNOOP_FAKE}) {
		const said s = lender("cap_bpf,cap_perfmon+ep", program)(
		    {"whole"}, "told interrupt");
		BOOST_TEST(s.status == 2);
		BOOST_TEST(has(s.err, "refused with the file's rights"));
		BOOST_TEST(!has(s.err, "told"));
		BOOST_TEST(lender(nullptr, program)({"whole"}, "interrupt")
		    .status == 2);
		BOOST_TEST(lender("cap_bpf,cap_perfmon+ep", program)({"whole"},
		    "interrupt", nullptr).status == 0);
	}
}

BOOST_AUTO_TEST_SUITE_END()
