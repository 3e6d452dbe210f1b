// Tests stackprint --async on the real library: threads that sleep, that run,
// and that are gone when their stacks are printed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>

#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include <require.h>

#include "child.h"
#include "sleepers.h"
#include "worker.h"

using boost::unit_test::description;
using nlohmann::json;
namespace tt = boost::test_tools;

namespace {

const char *const long_enough = "--async=600";

said
real(std::vector<std::string> args, const std::string &route = "")
{
	args.insert(args.begin(), STACKPRINT);
	if (route.empty())
		return run(args);
	return run(args, {.environment = {"STACK9_ROUTE=" + route}});
}

// Threads give their stacks themselves only where there is task work (Linux
// 6.18); "task-work" in STACK9_REQUIRE.
tt::assertion_result
by_task_work(boost::unit_test::test_unit_id id)
{
	const std::string check = real({"--check"}).out;
	const auto at = check.find("\n  task-work ");
	const std::string line = check.substr(at == check.npos ? 0 : at + 1,
	    at == check.npos ? 0 : check.find('\n', at + 1) - at - 1);
	const char *const list = std::getenv("STACK9_REQUIRE");
	if (has(line, " ok ") || has(list ? list : "", "task-work"))
		return true;
	std::fprintf(stderr, "skipped: %s: needs task-work: %s\n",
	    boost::unit_test::framework::get(id,
	    boost::unit_test::TUT_ANY).p_name->c_str(), line.c_str());
	tt::assertion_result no(false);
	no.message() << "needs task-work: " << line;
	return no;
}
const boost::unit_test::decorator::precondition needs_task_work(by_task_work);

// Memory that is shared with the processes that are forked later.
std::atomic<bool> &
is_spinning()
{
	static auto *const word = new (mmap(nullptr, sizeof(std::atomic<bool>),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
	    std::atomic<bool>(false);
	return *word;
}

[[gnu::noinline]] void
spin_here(int)
{
	is_spinning() = true;
	for (volatile bool on = true; on;)
		;
}

// A worker that has come to spin_here().
class spinner {
public:
	spinner()
	{
		while (!is_there_)
			sched_yield();
	}
	~spinner() { is_there_ = false; }
	std::string	name() const { return worker_.name(); }

private:
	std::atomic<bool>	&is_there_ = is_spinning();
	const worker		 worker_{spin_here};
};

[[gnu::noinline]] void
wait_here(int input)
{
	char c;
	(void)!read(input, &c, 1);
	_exit(0);
}

bool
is_waiting(const worker &w)
{
	return wait_for_state(w.pid, 'S', SYS_read);
}

// Gives how often the threads have gone to sleep, by their own will or not.
std::string
switches(const sleepers &all)
{
	std::string text;
	for (const pid_t tid : all.tids) {
		std::ifstream in("/proc/" + std::to_string(tid) + "/status");
		for (std::string line; std::getline(in, line);)
			if (has(line, "ctxt_switches"))
				text += line;
	}
	return text;
}

json
first_object(const said &s)
{
	return json::parse(s.out.substr(0, s.out.find('\n')));
}

} // namespace

BOOST_AUTO_TEST_SUITE(asynchronous_on_the_real_library, *needs("root"))

BOOST_AUTO_TEST_CASE(who_sleeps_is_not_woken, *needs("bpf") * needs_task_work
    *description("--async: threads that sleep have their kernel stacks, and "
    "sleep on"))
{
	const sleepers some(5);
	const std::string before = switches(some);
	const said s = real({"--async=0.1", "-p", std::to_string(some.pid)});
	BOOST_TEST(s.status == 1);
	BOOST_TEST(times(s.out, "  kernel  anon_pipe_read+") +
	    times(s.out, "  kernel  pipe_read+") == 5u);
	BOOST_TEST(times(s.out, "          complete\n") == 6u);
	BOOST_TEST(times(s.out, "  user    none: it has not returned to user "
	    "space in 0.1 s\n") == 6u);
	BOOST_TEST(has(s.out, "6 threads: 0 captured, 6 partial, 0 failed, "
	    "0 refused, 0 gone\n"));
	BOOST_TEST(times(s.err, "--now wakes") == 1u);
	BOOST_TEST(switches(some) == before);
	const said user = real({"--async=0", "-u", "-p",
	    std::to_string(some.pid)});
	BOOST_TEST(user.status == 2);
	BOOST_TEST(times(user.out, "  sleeping") == 6u);
	BOOST_TEST(has(user.out, " 6 failed,"));
}

BOOST_AUTO_TEST_CASE(who_runs_gives_its_stack, *needs("bpf")
    *description("--async: a thread that runs has its user stack when it next "
    "returns to user space; JSON: when_ns of each stack"))
{
	const spinner w;
	const said s = real({long_enough, w.name()});
	BOOST_TEST(s.status == 0);
	BOOST_TEST(has(s.out, "spin_here(int)+"));
	BOOST_TEST(has(s.out, "1 thread: 1 captured"));
	const json object = first_object(real({long_enough, "--json",
	    w.name()}));
	BOOST_TEST(object["user"]["complete"] == true);
	BOOST_TEST(object["when_ns"] > 0u);
	BOOST_TEST(object["user"].value("when_ns", std::uint64_t{1}) > 0u);
}

BOOST_AUTO_TEST_CASE(now_wakes_all, *needs("bpf")
    *description("--now: those that sleep are woken, and of 100 all have both "
    "stacks; they sleep on"))
{
	const sleepers many(100);
	const std::string pid = std::to_string(many.pid);
	const said s = real({long_enough, "--now", "-p", pid});
	BOOST_TEST(s.status == 0);
	BOOST_TEST(in_read(s.out) == 100u);
	BOOST_TEST(times(s.out, "          complete\n") == 202u);
	BOOST_TEST(has(s.out, "101 threads: 101 captured"));
	BOOST_TEST(s.err == "");
	const said again = real({"-p", pid});
	BOOST_TEST(again.status == 0);
	BOOST_TEST(in_read(again.out) == 100u);
}

BOOST_AUTO_TEST_CASE(who_comes_back_and_ends, *needs("bpf") * needs_task_work
    *description("--async: a thread that has returned is named, though its "
    "process has ended before it was collected"))
{
	worker w(wait_here);
	BOOST_REQUIRE(is_waiting(w));
	running_stackprint p({long_enough, w.name()});
	BOOST_REQUIRE(p.waits());
	p.halt();
	w.order();
	w.wait_for_end();
	p.go_on();
	const said s = p.end();
	BOOST_TEST(s.status == 0);
	BOOST_TEST(has(s.out, "pid " + w.name() + "  tid " + w.name() +
	    "  sleeping in "));
	BOOST_TEST(in_read(s.out) == 1u);
	BOOST_TEST(has(s.out, "wait_here(int)+"));
	BOOST_TEST(times(s.out, "          complete\n") == 2u);
}

BOOST_AUTO_TEST_CASE(an_interrupt_prints_what_there_is, *needs("bpf")
    * needs_task_work *description("--async: SIGINT (Ctrl-C) or SIGTERM ends "
    "the wait: what there is by then is printed, and stackprint ends by that "
    "signal."))
{
	const sleepers some(3);
	for (const int signo : {SIGINT, SIGTERM}) {
		running_stackprint p({long_enough, "-p",
		    std::to_string(some.pid)});
		BOOST_REQUIRE(p.waits());
		p.interrupt(signo);
		const said s = p.end();
		BOOST_TEST(s.status == 128 + signo);
		BOOST_TEST(has(s.out, "4 threads: 0 captured, 4 partial"));
		BOOST_TEST(times(s.out, "          complete\n") == 4u);
	}
}

// The signal ends its sleep, and a dying thread does its task work first.
BOOST_AUTO_TEST_CASE(who_is_killed, *needs("bpf") * needs_task_work
    *description("--async: a thread that is killed where it sleeps has both "
    "stacks, and nobody waits for it any longer"))
{
	worker w(wait_here);
	BOOST_REQUIRE(is_waiting(w));
	running_stackprint p({long_enough, w.name()});
	BOOST_REQUIRE(p.waits());
	w.kill_and_wait();
	const said s = p.end();
	BOOST_TEST(s.status == 0);
	BOOST_TEST(has(s.out, "tid " + w.name() + "  sleeping in "));
	BOOST_TEST(has(s.out, "wait_here(int)+"));
	BOOST_TEST(has(s.out, "1 thread: 1 captured"));
}

BOOST_AUTO_TEST_CASE(without_task_work, *needs("bpf")
    *description("--async: by the route retry: threads that sleep are read "
    "where they sleep"))
{
	const sleepers some(5);
	const spinner w;
	const std::string pid = std::to_string(some.pid);
	const said s = real({long_enough, "-p", pid}, "retry");
	BOOST_TEST(s.status == 0);
	BOOST_TEST(has(s.out, "6 threads: 6 captured"));
	BOOST_TEST(real({long_enough, w.name()}, "retry").status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
