// Tests stackprint(1), RIGHTS: strangers' files are read by a process that can
// do nothing else.  These tests become that process, and try.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>

#include <unistd.h>

#include <require.h>

#include "inside.h"
#include "lender.h"
#include "lib/scratch.h"

using boost::unit_test::description;
namespace data = boost::unit_test::data;

namespace {

// A thread's stack, one way or another: PID is replaced.
using words = std::vector<std::string>;
const std::vector<words> ways = {
	{"PID"}, {"-u", "PID"}, {"-p", "PID"}, {"-l", "-I", "PID"},
	{"-l", "-p", "PID"}, {"--json", "-p", "PID"}, {"--group", "-p", "PID"},
	{"--stop", "PID"}, {"--stop", "-p", "PID"},
	{"--async=2", "--now", "PID"},
	{"--async=2", "--now", "-p", "PID"}, {"-v", "PID"},
};
// They are refused with the file's rights.
const std::vector<words> ways_of_waits = {
	{"--waits", "PID"}, {"--why", "-p", "PID"},
};

words
command(const std::string &program, words way, const std::string &pid)
{
	for (std::string &word : way)
		if (word == "PID")
			word = pid;
	way.insert(way.begin(), program);
	return way;
}

std::string
told(const words &all)
{
	std::string text;
	for (const std::string &each : all)
		text += each + "; ";
	return text;
}

// Checks that one process read the victim's file, and could do nothing else.
void
check(const reported_inside &t, const words &way)
{
	BOOST_TEST_CONTEXT(told(way)) {
		BOOST_TEST(t.readers.size() == 1u);
		for (const found_inside &in : t.readers) {
			BOOST_TEST(in.capabilities ==
			    "0000000000000000 0000000000000000");
			BOOST_TEST(in.seccomp == "2");
			BOOST_TEST(told(in.could) == "");
			BOOST_TEST(in.memory.size() <= 1u);
			BOOST_TEST(in.users.find("\t0") == in.users.npos);
			BOOST_TEST(in.users[0] != '0');
		}
	}
}

const std::string &
own_file()
{
	static const std::string path =
	    std::filesystem::read_symlink("/proc/self/exe");
	return path;
}

} // namespace

BOOST_AUTO_TEST_SUITE(apart, *needs("root") *needs("bpf"))

BOOST_DATA_TEST_CASE(files_are_read_without_rights,
    data::xrange(ways.size()), n)
{
	const victim roots(0, true), other(0, true);
	const reported_inside t = run_inside(command(STACKPRINT, ways[n],
	    roots.name()), own_file(), std::stoi(other.name()), 0);
	BOOST_TEST(t.status != 2);
	check(t, ways[n]);
}

BOOST_DATA_TEST_CASE(waits_are_named_without_rights,
    data::xrange(ways_of_waits.size()), n)
{
	const victim roots(0, true), other(0, true);
	check(run_inside(command(STACKPRINT, ways_of_waits[n], roots.name()),
	    own_file(), std::stoi(other.name()), 0), ways_of_waits[n]);
}

BOOST_AUTO_TEST_CASE(all_threads_of_the_machine,
    *description("RIGHTS: This process has no capability, no BPF program and "
    "no map, no descriptor but those of the files that it reads, and of the "
    "memory of one process that it was asked about, to read only; the system "
    "calls that would let it act are refused."))
{
	const victim roots(0, true), other(0, true);
	check(run_inside({STACKPRINT, "-a"}, own_file(),
	    std::stoi(other.name()), 0), {"-a"});
}

BOOST_DATA_TEST_CASE(the_same_with_capabilities_of_the_file,
    data::xrange(ways.size()), n)
{
	const victim own(nobody, true), other(nobody, true);
	const lender lends("cap_bpf,cap_perfmon,cap_syslog+ep", STACKPRINT);
	const reported_inside t = run_inside(command(lends.path(), ways[n],
	    own.name()), own_file(), std::stoi(other.name()), nobody);
	check(t, ways[n]);
}

BOOST_AUTO_TEST_CASE(the_same_for_a_set_user_id_copy,
    *description("RIGHTS: The same holds for a set-user-ID copy."))
{
	const victim own(nobody, true), other(0, true);
	const lender lends(nullptr, STACKPRINT);
	check(run_inside({lends.path(), own.name()}, own_file(),
	    std::stoi(other.name()), nobody), {"set-user-ID"});
}

// Each signal wakes the victim.  Then it sleeps again.
class waker {
public:
	explicit waker(const victim &v) : thread_([this, pid =
	    std::stoi(v.name())] {
		while (!over_) {
			kill(pid, SIGUSR1);
			usleep(1000);
		}
	}) {}
	~waker()
	{
		over_ = true;
		thread_.join();
	}

private:
	std::atomic<bool>	over_ = false;
	std::thread		thread_;
};

const std::vector<words> ways_of_events = {
	{STACKCOUNT, "-c", "3", "-p", "PID", "t:sched:sched_switch"},
	{STACKCOUNT, "-c", "3", "-f", "pprof", "-p", "PID",
	    "t:sched:sched_switch"},
	{STACKCOUNT, "-c", "3", "-p", "PID", "offcpu"},
	{STACKSNOOP, "-c", "3", "-p", "PID", "t:sched:sched_switch"},
};

BOOST_DATA_TEST_CASE(stacks_of_events_are_unwound_and_named_without_rights,
    data::xrange(ways_of_events.size()), n)
{
	const victim roots(0, true), other(0, true);
	words way = command("", ways_of_events[n], roots.name());
	way.erase(way.begin());
	const waker wakes(roots);
	const reported_inside t = run_inside(way, own_file(),
	    std::stoi(other.name()), 0);
	BOOST_TEST(has(t.out, "wait_for_ever"), t.out);
	check(t, way);
}

BOOST_AUTO_TEST_CASE(records_are_named_without_rights)
{
	const victim roots(0, true), other(0, true);
	const lib::scratch dir("/var/tmp");
	const words way{STACKRECORD, "--record", dir.path(), "-D", "0.2", "-p",
	    roots.name()};
	const reported_inside t = run_inside(way, own_file(),
	    std::stoi(other.name()), 0);
	BOOST_TEST(t.status == 0);
	check(t, way);
}

BOOST_DATA_TEST_CASE(files_of_events_are_searched_without_rights,
    data::make(words{"u:", "usdt:"}) *
    data::make(words{STACKCOUNT, STACKSNOOP}), kind, program)
{
	const victim other(0, true);
	const words way{program, "-D", "0.01", kind + own_file() +
	    ":no_such_function"};
	const reported_inside t = run_inside(way, own_file(),
	    std::stoi(other.name()), 0);
	BOOST_TEST(t.status == 2);
	check(t, way);
}

BOOST_AUTO_TEST_CASE(a_file_that_crashes_the_reader,
    *description("RIGHTS: If a file crashes this process, or somebody kills "
    "or stops it, another one is started, and the user stacks that it was "
    "asked for are missing and say so."))
{
	const victim roots(0, true);
	const reported_inside t = run_inside({STACKPRINT, roots.name()},
	    own_file(), std::stoi(roots.name()), 0, fate::crashes);
	BOOST_TEST(t.status == 1);
	BOOST_TEST(has(t.out, "entry_SYSCALL_64"));
	BOOST_TEST(has(t.out, "none: the process that reads files was killed "
	    "by signal 9"));
}

BOOST_AUTO_TEST_CASE(a_file_that_hangs_the_reader,
    *description("RIGHTS: The same holds if a file makes it hang for longer "
    "than a minute, or ten minutes with lines."))
{
	const victim roots(0, true);
	const reported_inside t = run_inside({STACKPRINT, "--limits", "0.01",
	    roots.name()}, own_file(), std::stoi(roots.name()), 0, fate::hangs);
	BOOST_TEST(t.status == 1);
	BOOST_TEST(has(t.out, "entry_SYSCALL_64"));
	BOOST_TEST(has(t.out, "none: the process that reads files took too "
	    "long"));
	BOOST_TEST(has(t.out, "answers for which the process that reads files "
	    "took too long (1); --limits reads more"));
}

BOOST_AUTO_TEST_SUITE_END()
