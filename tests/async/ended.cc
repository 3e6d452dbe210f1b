// Tests threads that end before they are in user space again, and after.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <fstream>
#include <thread>

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core_calls.h"
#include "late_page.h"

BOOST_AUTO_TEST_SUITE(async_ended)

namespace {

void
end_process(puppets::strings &)
{
	_exit(0);
}

void
end_thread(puppets::strings &)
{
	syscall(SYS_exit, 0);
}

// It does not become that program before its argument is there.
void
become_sleeper(puppets::strings &)
{
	void *const page = mmap(nullptr, late_page::size, PROT_READ |
	    PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	late_page::take_away(page);
	char name[] = SLEEPER;
	char *argv[] = {name, static_cast<char *>(page), nullptr};
	execv(name, argv);
}

// A leader that does so, once it may; a sibling brings the page.
struct becoming {
	becoming()
	    : pid(fork())
	{
		if (pid != 0)
			return;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		std::thread([this] {
			told(go_on->word[0]);
			late_page::bring(*go_on);
		}).detach();
		become_sleeper(*go_on);
		_exit(1);
	}
	~becoming()
	{
		kill(pid, SIGKILL);
		waitpid(pid, nullptr, 0);
	}

	shared<puppets::strings>	go_on;
	const pid_t			pid;
};

std::string
comm_of(pid_t pid)
{
	std::ifstream f(fmt::format("/proc/{}/comm", pid));
	std::string comm;
	f >> comm;
	return comm;
}

// Killed in a call: it may still have taken its stack, or not.
void
was_killed(answer &a, stack9_id id, pid_t tid, const char *call)
{
	const int error = a.outcome(id);
	BOOST_TEST((error == 0 || error == ESRCH));
	BOOST_TEST(a.kernel.rec.error == 0);
	BOOST_TEST(a.kernel.rec.thread.tid == tid);
	if (error == 0)
		BOOST_TEST(a.fault({call}) == "");
	else
		BOOST_TEST(a.user.rec.depth == 0u);
	BOOST_TEST(core::cancel(id) == EALREADY);
	BOOST_TEST(a.collect(id) == error);
}

// Over, and only its kernel side is there.
void
never_returned(answer &a, stack9_id id, pid_t tid)
{
	BOOST_TEST(a.outcome(id) == ESRCH);
	BOOST_TEST(a.kernel.rec.error == 0);
	BOOST_TEST(a.kernel.rec.depth > 0u);
	BOOST_TEST(a.kernel.rec.thread.tid == tid);
	BOOST_TEST(a.user.rec.depth == 0u);
	BOOST_TEST(core::cancel(id) == EALREADY);
	BOOST_TEST(a.collect(id) == ESRCH);
}

} // namespace

BOOST_AUTO_TEST_CASE(killed, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "ESRCH: the thread has ended, and will not return; kernel is filled in"))
{
	puppets p(2);
	const pid_t tids[] = {p.pid(), p.tid(0), p.tid(1)};
	const submission leader(tids[0]), one(tids[1]), two(tids[2]);
	answer a(p.pid());
	p.end();
	was_killed(a, leader.id, tids[0], "pause");
	was_killed(a, one.id, tids[1], "read");
	was_killed(a, two.id, tids[2], "read");
}

BOOST_AUTO_TEST_CASE(ended_by_a_sibling, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("ESRCH: the thread has ended, and will not "
    "return"))
{
	puppets p(2);
	const submission s(p.tid(1));
	answer a(p.pid());
	p.order(end_process);
	was_killed(a, s.id, p.tid(1), "read");
}

BOOST_AUTO_TEST_CASE(ended_after, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("A process that may end meanwhile needs a "
    "space that was opened before; Returns the state of a submission and its "
    "stacks, any number of times"))
{
	puppets p;
	const submission s(p.tid());
	answer a(p.pid());
	p.order(end_thread);
	while (tgkill(p.pid(), p.tid(), 0) == 0)
		sched_yield();
	for (int i = 0; i < 2; i++) {
		BOOST_TEST(collect_over(s.id) == 0);
		BOOST_TEST(a.collect(s.id) == 0);
		BOOST_TEST(a.user.rec.thread.tid == p.tid());
		BOOST_TEST(a.fault({"read", "obey"}) == "");
		p.end();
	}
}

BOOST_AUTO_TEST_CASE(another_program, *needs("root") * needs("bpf")
    * needs_task_work() * needs("userfaultfd", late_page::missing)
    * boost::unit_test::description("ESRCH: a thread that is no leader gets "
    "the leader's tid by execve(2)"))
{
	puppets p(2);
	p.order(become_sleeper, 1);
	while (!late_page::is_waited_for(p.tid(1)))
		sched_yield();
	const submission s(p.tid(1));
	answer a(p.pid());
	BOOST_TEST(a.collect(s.id) == EAGAIN);
	p.order(late_page::bring);
	while (comm_of(p.pid()) != "sleeper")
		sched_yield();
	never_returned(a, s.id, p.tid(1));
	BOOST_TEST(refusal(p.tid(1)) == ESRCH);
}

BOOST_AUTO_TEST_CASE(another_program_of_the_leader, *needs("root")
    * needs("bpf") * needs_task_work()
    * needs("userfaultfd", late_page::missing)
    * boost::unit_test::description("0: it is over: the same thread has "
    "returned to user space, in another program"))
{
	const becoming b;
	while (!late_page::is_waited_for(b.pid))
		sched_yield();
	const submission s(b.pid);
	answer a(b.pid);
	BOOST_TEST(a.collect(s.id) == EAGAIN);
	b.go_on->word[0] = 1;
	BOOST_TEST(a.outcome(s.id) == 0);
	const space now = space_of(b.pid);
	for (stack9_space *const in : {a.user.in.get(),
	    static_cast<stack9_space *>(nullptr), now.get()}) {
		a.user.rec.space = in;
		BOOST_TEST(a.collect(s.id) == 0);
		BOOST_TEST(a.user.rec.error == 0);
		BOOST_TEST(a.user.rec.depth == 1u);
		const std::string first = names_in(now.get(), a.user.rec)[0];
		BOOST_TEST((first == "_start" || first.find("ld") !=
		    std::string::npos), first);
		BOOST_TEST_MESSAGE(first << ": " <<
		    stack9_why_text(a.user.rec.why));
	}
}

BOOST_AUTO_TEST_SUITE_END()
