// Tests what the command line of stackcount(1) and stacksnoop(1) may hold, and
// what of it gets to the library.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include "programs.h"
#include "require.h"

using boost::unit_test::description;

namespace {

// Gives what the library is called with by these.
std::string
told(arguments args, said (*program)(arguments, const std::string &))
{
	args.push_back("whole");
	const said s = program(args, "told interrupt");
	const auto begin = s.err.find("told: ");
	return begin == s.err.npos ? s.err :
	    s.err.substr(begin, s.err.find('\n', begin) - begin);
}

const arguments common = {"-p", "11", "-t", "12", "-n", "some one", "--cgroup",
    "/sys/fs/cgroup/x", "-C", "0", "-c", "13", "-r", "-k", "--frames", "14",
    "--ring", "1M"};

const char *const common_reported = "told: whole pid 11 tid 12 comm some one "
    "cgroup /sys/fs/cgroup/x cpu 0 flags 0x7 limit 13 block 0 0; side 1 "
    "flags 0 frames 14 stacks 0 ring 1048576 rules 0";

const std::vector<arguments> wrong = {
	{}, {"-x", "whole"}, {"whole", "other"}, {"whole", "-p"},
	{"whole", "-p", "0"}, {"whole", "-p", "x"}, {"whole", "-p", "010"},
	{"whole", "-t", "0x1"}, {"whole", "-c", "0"}, {"whole", "-C", "-1"},
	{"whole", "-C", "x"}, {"whole", "-D", "0"}, {"whole", "-D", "inf"},
	{"whole", "-D", "1e3"}, {"whole", "-D", "1.2.3"}, {"whole", "-D", "-1"},
	{"whole", "-m", "1"}, {"whole", "-M", "1"},
	{"offcpu", "-m", "2", "-M", "1"}, {"whole", "--frames", "1025"},
	{"whole", "--frames", "0"}, {"whole", "--ring", "x"},
	{"whole", "--rules", "x"}, {"whole", "--rules", "1M", "--copy"},
	{"whole", "-k", "--fp"}, {"whole", "-k", "--lines"},
	{"whole", "-k", "--inlines"}, {"whole", "--debuginfod"},
	{"whole", "-f", "xml"}, {"whole", "--json", "-f", "perf"},
	{"whole", "--"}, {"whole", "-p", "1", "--", "true"},
	{"whole", "-t", "1", "--", "true"},
	{"whole", "-F", "99"}, {"cpu-clock:49", "-F", "99"}, {"-F", "0"},
	{"whole", "--unit", "x", "--cgroup", "/"},
};

const std::vector<arguments> wrong_count = {
	{"whole", "-f", "perf"}, {"whole", "--json", "--folded"},
	{"whole", "--folded", "-f", "svg"}, {"whole", "-T", "0"},
	{"whole", "-i", "0"}, {"whole", "-i", "1", "-f", "pprof"},
	{"whole", "-i", "1", "-f", "svg"}, {"whole", "--cumulative"},
	{"--diff", "/dev/null"}, {"--diff", "a", "b", "--json"},
	{"--diff", "a", "b", "-f", "pprof"},
	{"whole", "--stacks", "0"}, {"whole", "--stackid"},
	{"offcpu", "--wakers=all"}, {"whole", "--wakers"},
	{"whole", "-g", "x.png"}, {"whole", "-g", ".svg"},
};

void
check_usage(const said &s, const std::string &program)
{
	BOOST_TEST(s.status == 64);
	BOOST_TEST(s.out == "");
	BOOST_TEST(has(s.err, program + ": "));
	BOOST_TEST(has(s.err, "usage: " + program));
}

} // namespace

BOOST_AUTO_TEST_SUITE(command_line)

BOOST_AUTO_TEST_CASE(filters_get_to_the_library,
    *description("-p, -t, -n, --cgroup, -C, -c, -r, -k, --frames, "
    "--ring, of both programs"))
{
	BOOST_TEST(told(common, stackcount) == common_reported);
	BOOST_TEST(told(common, stacksnoop) == common_reported);
}

BOOST_AUTO_TEST_CASE(long_options_are_the_short_ones,
    *description("--pid, --tid, --comm, --cpu, --count, --regex, "
    "--kernel"))
{
	const arguments all = {"--pid", "11", "--tid", "12", "--comm",
	    "some one", "--cgroup", "/sys/fs/cgroup/x", "--cpu", "0",
	    "--count", "13", "--regex", "--kernel", "--frames", "14",
	    "--ring", "1M"};
	BOOST_TEST(told(all, stackcount) == common_reported);
	BOOST_TEST(told(all, stacksnoop) == common_reported);
}

static std::string
cgroup_v2_missing()
{
	for (const char *file : {"/sys/fs/cgroup/cgroup.controllers",
		 "/sys/fs/cgroup/unified/cgroup.controllers"})
		if (access(file, F_OK) == 0)
			return "";
	return "it is not mounted below /sys/fs/cgroup";
}

BOOST_AUTO_TEST_CASE(units_and_containers_are_cgroups,
    *needs("root") * needs("cgroup v2", cgroup_v2_missing)
    * description("Its cgroup v2 is looked for below /sys/fs/cgroup"))
{
	const std::string top = access("/sys/fs/cgroup/cgroup.controllers",
	    F_OK) == 0 ? "/sys/fs/cgroup/" : "/sys/fs/cgroup/unified/";
	const std::string id = "5eedc0" + std::to_string(getpid());
	const std::string unit = top + "s9-" + id + ".service",
	    container = top + "docker-" + id + ".scope";
	BOOST_TEST(told({"--unit", "s9-" + id}, stackcount) ==
	    "stackcount: --unit s9-" + id + ": there is none below " +
	    top.substr(0, top.size() - 1) + "\n");
	if (mkdir(unit.c_str(), 0755) != 0 ||
	    mkdir(container.c_str(), 0755) != 0) {
		BOOST_TEST_MESSAGE("no cgroup v2 can be made here");
		rmdir(unit.c_str());
		return;
	}
	BOOST_TEST(has(told({"--unit", "s9-" + id}, stackcount),
	    " cgroup " + unit + " "));
	BOOST_TEST(has(told({"--container", id.substr(0, 8)}, stacksnoop),
	    " cgroup " + container + " "));
	BOOST_TEST(has(told({"--cgroup", unit.substr(top.size() - 1)},
	    stackcount), " cgroup " + unit + " "));
	rmdir(unit.c_str());
	rmdir(container.c_str());
}

BOOST_AUTO_TEST_CASE(f_is_the_rate_of_clocks,
    *description("-F: The event is cpu-clock, if none is named, or else "
    "cpu-clock, task-clock or profile without a frequency."))
{
	for (const auto program : {stackcount, stacksnoop}) {
		for (const arguments &args : {arguments{"-F", "49"},
		    arguments{"-F", "49", "cpu-clock"},
		    arguments{"--frequency", "49"}})
			BOOST_TEST(has(program(args, "told interrupt").err,
			    "told: cpu-clock:49 pid"));
		BOOST_TEST(has(program({"-F", "7", "task-clock"},
		    "told interrupt").err, "told: task-clock:7 pid"));
	}
}

BOOST_AUTO_TEST_CASE(events_are_listed,
    *description("--list: List the events that could be watched, a line each, "
    "with what each is; then end."))
{
	for (const auto program : {stackcount, stacksnoop}) {
		const said s = program({"--list", "many:*"}, "told");
		BOOST_TEST(s.status == 0);
		BOOST_TEST(has(s.err, "told: many:* pid 0"), s.err);
		BOOST_TEST(has(s.err, "flags 0x200"), s.err);
		BOOST_TEST(std::count(s.out.begin(), s.out.end(), '\n') == 2);
		const said none = program({"--list", "no-such"}, "");
		BOOST_TEST(none.status == 2);
		BOOST_TEST(has(none.err, "there is no \\033 event"), none.err);
		check_usage(program({"--list", "x", "--", "true"}, ""),
		    program == stackcount ? "stackcount" : "stacksnoop");
	}
}

BOOST_AUTO_TEST_CASE(capital_letters_are_those_of_bcc,
    *description("-K: The same as -k, as in bcc."))
{
	for (const auto program : {stackcount, stacksnoop}) {
		BOOST_TEST(has(told({"-K"}, program), "side 1"));
		BOOST_TEST(has(told({"-U"}, program), "side 2"));
		BOOST_TEST(has(told({"-KU"}, program), "side 3"));
		BOOST_TEST(has(told({"-kU"}, program), "side 3"));
	}
}

BOOST_AUTO_TEST_CASE(without_options_everybody_is_watched,
    *description("DESCRIPTION: Without options, all threads of the machine are "
    "watched, except those of stackcount itself, and both stacks of each are "
    "taken."))
{
	const char *all = "told: whole pid 0 tid 0 comm - cgroup - cpu -1 "
	    "flags 0x4 limit 0 block 0 0; side 3 flags 0 frames 0 stacks 0 "
	    "ring 0 rules 0";
	BOOST_TEST(told({}, stackcount) == all);
	BOOST_TEST(told({}, stacksnoop) == all);
	BOOST_TEST(told({"-k", "-u"}, stackcount) == all);
}

BOOST_AUTO_TEST_CASE(how_stacks_are_taken_gets_to_the_library,
    *description("-u, --fp, -P, --stacks"))
{
	BOOST_TEST(has(told({"-u"}, stackcount), "side 2 flags 0 "));
	BOOST_TEST(has(told({"--fp"}, stacksnoop), "side 3 flags 0x20 "));
	BOOST_TEST(has(told({"-P"}, stackcount), "flags 0x10 frames"));
	BOOST_TEST(has(told({"--stacks", "99"}, stackcount), "stacks 99 "));
	BOOST_TEST(has(stackcount({"--wakers=graph", "offcpu"},
	    "told interrupt").err, "side 1 flags 0x810 frames"));
}

BOOST_AUTO_TEST_CASE(bounds_are_microseconds,
    *description("-m, -M: blocked so many microseconds"))
{
	for (const auto program : {stackcount, stacksnoop}) {
		const said s = program({"-m", "5", "-M", "7", "offcpu"},
		    "told interrupt");
		BOOST_TEST(has(s.err, "block 5000 7000;"));
	}
}

BOOST_TEST_DECORATOR(*description("EXIT STATUS: 64: the command line is "
    "wrong; it says how, and the usage, on standard error"))
BOOST_DATA_TEST_CASE(usage_is_64,
    boost::unit_test::data::xrange(wrong.size()), i)
{
	check_usage(stackcount(wrong[i]), "stackcount");
	check_usage(stacksnoop(wrong[i]), "stacksnoop");
}

BOOST_TEST_DECORATOR(*description("EXIT STATUS: 64: likewise for what "
    "stackcount alone has"))
BOOST_DATA_TEST_CASE(usage_of_stackcount_is_64,
    boost::unit_test::data::xrange(wrong_count.size()), i)
{
	check_usage(stackcount(wrong_count[i]), "stackcount");
}

BOOST_AUTO_TEST_CASE(help_and_version_are_0,
    *description("-h, -V: on standard output"))
{
	for (const auto program : {stackcount, stacksnoop})
		for (const char *o : {"-h", "--help"}) {
			const said s = program({o}, "");
			BOOST_TEST(s.status == 0);
			BOOST_TEST(has(s.out, "--duration"));
			BOOST_TEST(s.err == "");
		}
	for (const char *o : {"-V", "--version"}) {
		BOOST_TEST(stackcount({o}, "").out == "stackcount 0.3.0\n"
		    "OTLP: opentelemetry-proto 1.11.0, "
		    "profiles v1development\n");
		BOOST_TEST(stacksnoop({o}, "").out == "stacksnoop 0.3.0\n");
		BOOST_TEST(stacksnoop({o}, "").status == 0);
	}
}

BOOST_AUTO_TEST_SUITE_END()
