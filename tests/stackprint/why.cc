// Tests stackprint --why and --waits of processes that know who waits for whom:
// they wait for locks, or for nobody.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

#include <fcntl.h>
#include <semaphore.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "child.h"
#include "company.h"
#include "lib/process.h"
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
    "--why: Deadlocks come first, with the waits of each member; a thread that "
    "waits for itself is one."))
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

// The threads below a member come before its stacks.
BOOST_AUTO_TEST_CASE(one_thread_waits_for_itself, *needs("bpf") * description(
    "--why: Deadlocks come first, with the waits of each member; a thread that "
    "waits for itself is one."))
{
	company all;
	all.add([] {
		static std::mutex m;
		m.lock();
		std::thread([] { m.lock(); }).detach();
		m.lock();
	});
	const std::string out = until(", itself", {"--why", "-p",
	    all.list()});
	BOOST_TEST(out.starts_with("deadlock of 1 thread, which waits for "
	    "itself\n"), out);
	BOOST_TEST(!has(out, "no thread is known"), out);
}

BOOST_AUTO_TEST_CASE(edges_before_stacks, *needs("bpf") * description(
    "--why: The stacks of all come last, after who waits for whom."))
{
	company all;
	for (int root = 0; root < 2; root++)
		all.add([root] {
			static std::mutex m;
			m.lock();
			for (int i = root; i < 3; i++)
				std::thread([] { m.lock(); }).detach();
		});
	// Two of the three may be there first.
	until("root: 3 threads", {"--why", "-p", all.list()});
	const std::string out = until("root: 2 threads", {"--why", "-p",
	    all.list()});
	BOOST_TEST(has(out, "root: 3 threads"), out);
	BOOST_TEST(out.find("root: 3") < out.find("root: 2"), out);
	BOOST_TEST(out.rfind("held by tid") < out.find("  kernel  "), out);
	BOOST_TEST(times(out, "  kernel  ") == 2u, out);
}

// A semaphore has no owner; a thread that waits for one that waits so is below
// it, and nobody is a root.
BOOST_AUTO_TEST_CASE(no_owner_is_known, *needs("bpf") * description(
    "--why: Threads that wait for a lock, a semaphore or a condition variable "
    "whose owner is not known come last, as not explained , with the stacks "
    "of the first ones."))
{
	company all;
	all.add([] {
		static sem_t s;
		sem_init(&s, 0, 0);
		std::thread t([] { sem_wait(&s); });
		t.join();
	});
	const std::string out = until("    s9why  ", {"--why", "-p",
	    all.list()});
	BOOST_TEST(has(out, "not explained: 1 thread waits for what nobody is "
	    "known to hold\n"), out);
	BOOST_TEST(!has(out, "root: "), out);
	BOOST_TEST(has(out, "nobody owns a semaphore"), out);
	BOOST_TEST(times(out, "  kernel  ") == 1u, out);
	const std::string json = until("false", {"--why", "--json", "-p",
	    all.list()});
	BOOST_TEST(times(json, "\"explained\":false") == 1u, json);
}

// Two threads of the process have the other end.
BOOST_AUTO_TEST_CASE(any_thread_of_a_process, *needs("bpf") * description(
    "--why: If any thread of a process may be the one, the process is named "
    "there, without a stack."))
{
	int fds[2];
	(void)!pipe(fds);
	company all;
	all.add([&] {
		close(fds[0]);
		std::thread([] { pause(); }).detach();
	});
	all.add([&] {
		char c;
		close(fds[1]);
		(void)!read(fds[0], &c, 1);
	});
	close(fds[0]);
	close(fds[1]);
	const std::string out = until("any of its 2 threads", {"--why", "-p",
	    all.list()});
	BOOST_TEST(out.starts_with(std::string("root: 1 thread waits for it, "
	    "directly or not\ns9why  pid ") + std::to_string(all.pids[0]) +
	    ", any of its 2 threads\n"), out);
	BOOST_TEST(times(out, "  kernel  ") == 0u, out);
}

BOOST_AUTO_TEST_CASE(slow_by_itself, *needs("bpf") * description(
    "--why: If no thread is known to wait for another one, the waits of up to "
    "ten threads are printed, first those that run or are in state D, with "
    "their stacks and the command that says where their time goes."))
{
	company all;
	all.add([] { });
	all.add([] {
		for (;;)
			__asm__ volatile("");
	});
	const std::string out = until("  runs\n", {"--why", "-p",
	    all.list()});
	BOOST_TEST(out.find("  runs\n") < out.find("  waits for signal\n"),
	    out);
	BOOST_TEST(has(out, "stackcount -p " + std::to_string(all.pids[1]) +
	    " cpu-clock"), out);
	BOOST_TEST(has(out, "running"), out);
}

// Eight threads fight for a mutex that each holds for a millisecond.
void
fight()
{
	static std::mutex m;
	for (int i = 0; i < 8; i++)
		std::thread([] {
			for (;;) {
				const std::lock_guard guard(m);
				usleep(1000);
			}
		}).detach();
}

BOOST_AUTO_TEST_CASE(locks_held_for_a_moment, *needs("bpf") * description(
    "--why: A lock that such threads wait for, or that is handed on meanwhile, "
    "has a line behind the deadlocks that begins with contended: ; it counts "
    "in how many looks each holder had the lock:"))
{
	company all;
	all.add(fight);
	const std::vector<std::string> why{"--why", "-p", all.list()};
	// On a busy machine one thread may hold it through all looks, or all
	// may have moved in each: that is said then, and asked again.
	for (int i = 0; i < 5; i++)
		BOOST_TEST(has(until("wait often for mutex ", why),
		    "; holders seen: tid "));
	until("\"contended\":\"mutex ", {"--why", "--json", "-p",
	    all.list()});
}

// A thread that is in the function of a lock waits for it, and one that is in
// nanosleep() sleeps.
BOOST_AUTO_TEST_CASE(waits_are_of_their_stacks, *needs("bpf") * description(
    "--why: Stack, wait and holder of a thread are of one moment, at which it "
    "stood still, or its line says moved meanwhile ."))
{
	company all;
	all.add(fight);
	until("waits   for mutex ", {"--waits", "-p", all.list()});
	for (int i = 0; i < 20; i++) {
		const said s = run({STACKPRINT, "--waits", "--no-group", "-u",
		    "-p", all.list()});
		// The last line counts the stacks that are printed.
		BOOST_TEST(has(s.out, fmt::format(": {} captured",
		    times(s.out, "  complete"))), s.out);
		std::istringstream in(s.out);
		std::string wanted;
		for (std::string line; std::getline(in, line);) {
			if (has(line, "pthread_mutex_lock"))
				wanted = "for mutex ";
			else if (has(line, "clock_nanosleep"))
				wanted = "for sleep";
			else if (line.starts_with("s9why"))
				wanted.clear();
			if (line.starts_with("  waits   ") &&
			    !wanted.empty())
				BOOST_TEST((has(line, wanted) || has(line,
				    "moved meanwhile")), s.out);
		}
	}
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
    "ten threads are printed, first those that run or are in state D, with "
    "their stacks and the command that says where their time goes."))
{
	company all;
	for (int i = 0; i < 11; i++)
		all.add([] { });
	// One that runs would come in place of one that waits.
	for (const pid_t pid : all.pids)
		lib::wait_for_state(pid, 'S');
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
