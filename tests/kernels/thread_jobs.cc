// Does the jobs that find what the stacks of threads do not show: waits, states
// and goroutines.  It compares what it finds with what the threads do, and with
// /proc.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <csignal>
#include <fstream>
#include <map>
#include <set>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <stack9_coroutines.h>
#include <stack9_waits.h>

#include "outcomes.h"
#include "targets.h"

using boost::unit_test::description;

namespace {

constexpr const char *waits = "waits of threads";

struct reported_wait {
	int		kind;
	long		number;
	std::string	reason;
	std::vector<pid_t> holders;
};
using reported_waits = std::map<pid_t, reported_wait>;

// Asks for the waits of all threads of a process.  Futexes are distinguished by
// their stacks.
int
find_waits(pid_t pid, reported_waits &all)
{
	std::vector<stack9_sample *> samples;
	const stack9_thread td{pid, pid, 0};
	int error = stack9_each(&td, STACK9_BOTH, nullptr, [](void *to,
	    const stack9_sample *s) {
		static_cast<std::vector<stack9_sample *> *>(to)->push_back(
		    stack9_sample_hold(s));
		return 0;
	}, &samples);
	if (error == 0)
		error = stack9_waits(samples.data(),
		    static_cast<std::uint32_t>(samples.size()), 0, [](void *to,
		    const stack9_wait *w) {
			reported_wait t{w->kind, static_cast<long>(w->number),
			    w->reason, {}};
			for (std::uint32_t i = 0; i < w->holders; i++)
				t.holders.push_back(w->holder[i].thread.tid);
			(*static_cast<reported_waits *>(to))[
			    w->sample->thread.tid] = t;
			return 0;
		}, &all);
	for (stack9_sample *const s : samples)
		stack9_sample_close(s);
	return error;
}

// The number of the system call that the thread waits in; -1: none.
long
call_in_proc(pid_t tid)
{
	std::ifstream file("/proc/" + std::to_string(tid) + "/syscall");
	long number = -1;
	return file >> number ? number : -1;
}

struct reported_state {
	char		state;
	bool		since;
	std::string	comm;
};

int
add_state(void *to, const stack9_state *s)
{
	(*static_cast<std::map<pid_t, reported_state> *>(to))[s->thread.tid] =
	    {static_cast<char>(s->state), s->since_ns != 0, s->comm};
	return 0;
}

std::string
refused(int error)
{
	return std::string("refused: ") + strerrorname_np(error) + ": " +
	    stack9_reason();
}

// Runs until it is killed; its descriptor 3 says when it is ready.
pid_t
start_goroutines(int (&to)[2])
{
	int ready[2];
	BOOST_REQUIRE(pipe2(to, O_CLOEXEC) == 0 &&
	    pipe2(ready, O_CLOEXEC) == 0);
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		const int last = fcntl(ready[1], F_DUPFD, 10);
		dup2(to[0], 0);
		dup2(open("/dev/null", O_WRONLY), 1);
		dup2(last, 3);
		execl(GOROUTINES, GOROUTINES, nullptr);
		_exit(127);
	}
	close(ready[1]);
	char c;
	BOOST_TEST(read(ready[0], &c, 1) == 1);
	close(ready[0]);
	return pid;
}

} // namespace

BOOST_AUTO_TEST_CASE(waits_of_threads, *description(
    "what threads wait for, and who can end it"))
{
	const target t(target::kind::sleeps);
	reported_waits all;
	if (const int error = find_waits(t.pid(), all); error != 0)
		return tell(waits, refused(error));
	std::multiset<int> kinds;
	for (const pid_t tid : t.tids()) {
		BOOST_TEST_REQUIRE(all.count(tid) == 1u);
		const reported_wait &w = all[tid];
		kinds.insert(w.kind);
		BOOST_TEST(w.number == call_in_proc(tid));
		if (w.kind == STACK9_WAIT_PIPE)
			BOOST_TEST((w.holders.size() == 1 &&
			    w.holders[0] == getpid()), w.reason);
	}
	BOOST_TEST(kinds == (std::multiset<int>{STACK9_WAIT_FUTEX,
	    STACK9_WAIT_PIPE, STACK9_WAIT_POLL, STACK9_WAIT_POLL,
	    STACK9_WAIT_EPOLL, STACK9_WAIT_SLEEP}),
	    boost::test_tools::per_element());
	tell(waits, first_that_can(waits));
}

BOOST_AUTO_TEST_CASE(states_of_threads, *description(
    "which threads have run, and since when each is in its state"))
{
	const target sleeps(target::kind::sleeps), spins(target::kind::spins);
	bool since = true;
	for (const target *const t : {&sleeps, &spins}) {
		const stack9_thread td{t->pid(), t->pid(), 0};
		std::map<pid_t, reported_state> all;
		if (const int error = stack9_states(&td, 0, add_state, &all);
		    error != 0)
			return tell("states of threads", refused(error));
		BOOST_TEST(all.size() == t->tids().size());
		for (const auto &[tid, s] : all) {
			BOOST_TEST(s.state == (t == &spins ? 'R' : 'S'));
			BOOST_TEST(s.comm == "kernel_jobs");
			since &= s.since;
		}
	}
	std::map<pid_t, reported_state> machine;
	BOOST_TEST(stack9_states(nullptr, 0, add_state, &machine) == 0);
	BOOST_TEST(machine.count(getpid()) == 1u);
	tell("states of threads", since ? "native" :
	    "by procfs, without the time in a state");
}

BOOST_AUTO_TEST_CASE(goroutines, *description(
    "the goroutines that run on no thread"))
{
#ifndef __x86_64__
	const stack9_thread self{getpid(), getpid(), 0};
	const int no = stack9_coroutines(&self, nullptr, [](void *,
	    const stack9_coroutine *) { return 0; }, nullptr);
	BOOST_TEST(no == EOPNOTSUPP);
	return tell("goroutines", refused(no));
#endif
	if (access(GOROUTINES, X_OK) != 0) {
		BOOST_TEST_MESSAGE("not run: Go's compiler is not here");
		return;
	}
	int to[2];
	const pid_t pid = start_goroutines(to);
	const stack9_thread td{pid, pid, 0};
	std::size_t whole = 0;
	const int error = stack9_coroutines(&td, nullptr, [](void *arg,
	    const stack9_coroutine *c) {
		*static_cast<std::size_t *>(arg) += c->sample->user->error == 0;
		return 0;
	}, &whole);
	kill(pid, SIGKILL);
	waitpid(pid, nullptr, 0);
	close(to[0]);
	close(to[1]);
	BOOST_TEST(error == 0);
	BOOST_TEST(whole >= 40u);
	tell("goroutines", error == 0 ? "native" : refused(error));
}
