// Tests stackprint --why and --waits of processes that know who waits for whom:
// they wait for locks, or for nobody.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <mutex>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "child.h"
#include "company.h"
#include "require.h"

using boost::unit_test::description;

namespace {

// Two threads that wait for each other.
void
lock_up()
{
	static std::mutex one, two, both_have;
	one.lock();
	both_have.lock();
	std::thread([] {
		two.lock();
		both_have.unlock();
		one.lock();
	}).detach();
	both_have.lock();
	two.lock();
}

BOOST_AUTO_TEST_CASE(deadlocks_come_first, *needs("bpf") * description(
    "--why: Deadlocks come first, with the waits and both stacks of each "
    "member."))
{
	company all;
	all.add(lock_up);
	const std::string out = until("deadlock of 2 threads\n", {"--why",
	    "-p", all.list()});
	BOOST_TEST(out.starts_with("deadlock of 2 threads\n"));
	BOOST_TEST(times(out, "held by tid") >= 2u);
	BOOST_TEST(times(out, "  kernel  ") == 2u);
	BOOST_TEST(times(out, "  user    ") == 2u);
}

// An ordinary user sees his own waits, and learns once what is missing; the
// rights of a file would not help.
BOOST_AUTO_TEST_CASE(waits_of_ordinary_users, *needs("root"))
{
	const auto be_nobody = [] {
		if (setgid(65534) != 0 || setuid(65534) != 0)
			_exit(126);
		prctl(PR_SET_DUMPABLE, 1);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	};
	company all;
	all.add([&] {
		be_nobody();
		lock_up();
	});
	until("deadlock of 2 threads\n", {"--why", "-p", all.list()});
	// The program may be where an ordinary user cannot go.
	const auto open_and_be_nobody = [&] {
		dup2(open(STACKPRINT, O_RDONLY), 9);
		be_nobody();
	};
	for (const char *const view : {"--why", "--waits", "--stuck=0.1"}) {
		const said s = run({"/proc/self/fd/9", view, "-p", all.list()},
		    {.before_exec = open_and_be_nobody});
		BOOST_TEST(times(s.out, "held by tid") == 2u, s.out);
		BOOST_TEST(times(s.err, "kernel stacks need CAP_BPF") == 1u,
		    s.err);
		BOOST_TEST(!has(s.err, "setcap"), s.err);
	}
}

BOOST_AUTO_TEST_CASE(nobody_waits_for_another, *needs("bpf") * description(
    "--why: If no thread is known to wait for another one, the waits of up to "
    "ten threads are printed."))
{
	company all;
	for (int i = 0; i < 11; i++)
		all.add([] { });
	const std::string out = until("and 1 more thread", {"--why", "-k",
	    "-p", all.list()});
	BOOST_TEST(out.starts_with("no thread is known to wait for another "
	    "one\n"));
	BOOST_TEST(times(out, "  waits for signal") == 10u);
}

BOOST_AUTO_TEST_CASE(waits_have_their_times, *needs("bpf") * description(
    "OUTPUT: With --follow, --stuck and --waits the header says how long the "
    "thread has been on its CPU, has waited for one, or has been asleep or "
    "stopped, as for 1.2 s ."))
{
	company all;
	all.add([] { });
	const std::string out = until("  waits   for signal\n", {"--waits",
	    "-k", "-p", all.list()});
	const std::string header = out.substr(0, out.find('\n'));
	BOOST_TEST(has(header, ", for "), header);
}

} // namespace
