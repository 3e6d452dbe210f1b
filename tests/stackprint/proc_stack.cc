// Compares stackprint on the real library with the kernel's own word:
// /proc/TID/stack of threads that sleep.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <require.h>

#include "child.h"
#include "sleepers.h"

using boost::unit_test::description;

namespace {

using frames = std::vector<std::string>;

// "[<0>] name+0x1/0x2 [module]" as name+0x1.
frames
by_proc(pid_t tid)
{
	std::ifstream file("/proc/" + std::to_string(tid) + "/stack");
	frames all;
	for (std::string line; std::getline(file, line);) {
		const auto start = line.find("] ") + 2;
		const auto size = line.find('/', start);
		all.push_back(line.substr(start, size - start));
	}
	return all;
}

// The frames of every thread, by tid; each must be complete.
std::map<pid_t, frames>
by_stackprint(const std::string &out)
{
	std::map<pid_t, frames> all;
	pid_t tid = 0;
	std::istringstream text(out);
	for (std::string line; std::getline(text, line);) {
		if (line[0] != ' ') {
			const auto at = line.find("  tid ");
			tid = at == line.npos ? 0 :
			    std::atoi(line.c_str() + at + 6);
		} else if (line != "          complete") {
			// A route that has names only gives the kernel's text.
			const std::string frame = line.substr(10);
			all[tid].push_back(frame.substr(0, std::min(
			    frame.find("  "), frame.find('/'))));
		}
	}
	return all;
}

said
real(std::vector<std::string> args)
{
	args.insert(args.begin(), {STACKPRINT, "-k"});
	return run(args);
}

class spinner {
public:
	explicit spinner(bool in_kernel)
	{
		int ready[2];
		BOOST_REQUIRE(pipe(ready) == 0);
		pid = fork();
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			(void)!write(ready[1], "", 1);
			for (volatile bool go = true; go;)
				if (in_kernel)
					syscall(SYS_getppid);
			_exit(0);
		}
		char c;
		BOOST_REQUIRE(read(ready[0], &c, 1) == 1);
		close(ready[0]);
		close(ready[1]);
	}
	~spinner()
	{
		kill(pid, SIGKILL);
		waitpid(pid, nullptr, 0);
	}
	pid_t pid;
};

// A confidential lockdown lets programs be loaded, and refuses those that read
// the kernel's memory.
boost::test_tools::assertion_result
running_threads_can_be_read(boost::unit_test::test_unit_id)
{
	const std::string check = run({STACKPRINT, "--check"}).out;
	const auto at = check.find("\nkernel stack of a running thread\n");
	const auto end = check.find("\nkernel stacks of many", at);
	const std::string job = at == check.npos ? "" :
	    check.substr(at, end - at);
	boost::test_tools::assertion_result can(has(job, "  ok  ") ||
	    !has(job, "lockdown (confidentiality)"));
	if (!can)
		std::puts("skipped: a_spinner_is_in_user_mode_or_has_frames: "
		    "the kernel is locked down (confidentiality)");
	return can;
}

} // namespace

BOOST_AUTO_TEST_SUITE(on_the_real_library, *needs("bpf"))

BOOST_AUTO_TEST_CASE(a_sleeper_has_the_frames_of_proc_stack, *needs("root")
    *description("DESCRIPTION: the kernel stack of a sleeping thread is that "
    "of /proc/TID/stack"))
{
	const sleepers one(1);
	const pid_t tid = one.tids[0];
	const said s = real({std::to_string(tid)});
	BOOST_TEST(s.status == 0);
	BOOST_TEST(s.err == "");
	BOOST_TEST(has(s.out, "sleeping in "));
	const frames expected = by_proc(tid);
	BOOST_TEST(expected.size() > 3u);
	BOOST_TEST(by_stackprint(s.out)[tid] == expected,
	    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_thousand_sleepers_thread_by_thread, *needs("root")
    *description("-p: for 1000 sleeping threads, the frames of "
    "/proc/PID/task/TID/stack, thread by thread"))
{
	const sleepers many(1000);
	const said s = real({"-p", std::to_string(many.pid)});
	BOOST_TEST(s.status == 0);
	const std::string all = "1001 threads: 1001 captured";
	BOOST_TEST(has(s.out, all));
	auto got = by_stackprint(s.out);
	int differ = 0;
	for (const pid_t tid : many.tids)
		differ += got[tid] != by_proc(tid);
	BOOST_TEST(differ == 0);
}

// Both stacks of each: another route than that of kernel stacks alone.
BOOST_AUTO_TEST_CASE(a_pass_shows_every_thread, *needs("root")
    *description("-a: Print all threads of the machine, in one pass."))
{
	const sleepers some(50);
	const std::string pid = std::to_string(some.pid);
	const said process = run({STACKPRINT, "-p", pid});
	BOOST_TEST(has(process.out, "51 threads: "));
	BOOST_TEST(process.err == "");
	const said machine = run({STACKPRINT, "-a"});
	for (const said *const s : {&process, &machine}) {
		BOOST_TEST(s->status != 2);
		for (const pid_t tid : some.tids)
			BOOST_TEST(has(s->out, "  pid " + pid + "  tid " +
			    std::to_string(tid) + "  sleeping in "));
	}
	BOOST_TEST(has(machine.out, "stackprint  pid "));
}

BOOST_AUTO_TEST_CASE(a_spinner_is_in_user_mode_or_has_frames,
    *boost::unit_test::precondition(running_threads_can_be_read)
    *description("OUTPUT: a running thread has kernel frames or is in user "
    "mode, never an empty stack"))
{
	const int tries = rounds(50, in_guest() ? 6 : 15);
	for (const bool in_kernel : {false, true}) {
		const spinner busy(in_kernel);
		int in_user_mode = 0, with_frames = 0;
		// It may be met before it has reached its loop, with frames;
		// so until it was met in user mode once.
		for (int i = 0; i < tries || (!in_kernel &&
		     in_user_mode == 0 && i < 2000); i++) {
			const said s = real({std::to_string(busy.pid)});
			const bool user =
			    has(s.out, "none: running in user mode\n") ||
			    has(s.out, "none: in user mode, waiting for a "
			    "CPU\n");
			const bool kernel = !by_stackprint(s.out)[busy.pid]
			    .empty() && !has(s.out, "none:");
			BOOST_TEST((user || kernel), s.out << s.err);
			in_user_mode += user;
			with_frames += kernel;
		}
		BOOST_TEST_MESSAGE(in_user_mode << " in user mode, "
		    << with_frames << " with frames");
		if (!in_kernel)
			BOOST_TEST(in_user_mode > 0);
	}
}

BOOST_AUTO_TEST_CASE(gone_is_gone,
    *description("DIAGNOSTICS: tid N: no such thread"))
{
	pid_t dead = fork();
	if (dead == 0)
		_exit(0);
	waitpid(dead, nullptr, 0);
	const said s = real({std::to_string(dead)});
	BOOST_TEST(s.status == 2);
	BOOST_TEST(has(s.err, "no such thread"));
	BOOST_TEST(has(s.out, "1 gone"));
}

BOOST_AUTO_TEST_CASE(check_names_a_route_that_works,
    *description("--check: some route to kernel stacks can be taken"))
{
	const said s = run({STACKPRINT, "--check"});
	BOOST_TEST(s.status != 2);
	BOOST_TEST(has(s.out, "\nkernel stack\n"));
	BOOST_TEST(has(s.out, "  ok  "));
}

BOOST_AUTO_TEST_SUITE_END()
