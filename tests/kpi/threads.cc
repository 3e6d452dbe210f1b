// Tests stack(9), "Threads": who is who.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <string>

#include <pthread.h>
#include <sys/prctl.h>

#include <stack9.h>

#include "os/stat_line.h"
#include "require.h"
#include "victims.h"

using boost::unit_test::description;

BOOST_FIXTURE_TEST_SUITE(threads, settled)

BOOST_AUTO_TEST_CASE(stat_line, *description(
    "A struct thread names one thread for good, by its tid (td_tid) and the "
    "time it started"))
{
	const std::string rest = " S 1 2 3 4 -1 6 7 8 9 10 11 12 13 14 20 0 "
	    "42 0 987654321 22 23\n";
	for (const std::string comm : {"plain", "", "a b", "a) R 1 (b", ")",
	    "((", "x\ny", "kworker/u8:1-events_unbound"}) {
		stack9::thread_stat stat{};
		BOOST_REQUIRE(stack9::parse_stat("17 (" + comm + ")" + rest,
		    stat));
		BOOST_TEST(stat.comm == comm);
		BOOST_TEST(stat.state == 'S');
		BOOST_TEST(stat.threads == 42);
		BOOST_TEST(stat.start == 987654321u);
	}
	const std::string whole = "17 (x)" + rest;
	const auto last = whole.find("987654321");
	stack9::thread_stat untouched{};
	untouched.start = 4711;
	for (std::size_t size = 0; size <= last; size++)
		BOOST_TEST(!stack9::parse_stat(whole.substr(0, size),
		    untouched));
	for (const char *bad : {")", ")(", "1 (x", "1 x) S", "1 (x) S a b c"})
		BOOST_TEST(!stack9::parse_stat(bad, untouched));
	BOOST_TEST(untouched.start == 4711u);
}

BOOST_AUTO_TEST_CASE(odd_names, *description(
    "A struct thread names one thread for good: whatever it calls itself"))
{
	child c([] { prctl(PR_SET_NAME, "a) R 1 (b c"); });
	struct thread *td = tdfind(c.pid(), -1);
	BOOST_REQUIRE(td != nullptr);
	BOOST_TEST(td->td_name == "a) R 1 (b c");
	BOOST_TEST(td->td_proc->p_comm == "a) R 1 (b c");
	BOOST_TEST(td->td_tid == c.pid());
	BOOST_TEST(td->td_proc->p_pid == c.pid());
	BOOST_TEST(td->td_proc->p_numthreads == alone());
	BOOST_TEST(td->td_start > curthread->td_start - 1);
	PROC_UNLOCK(td->td_proc);
}

BOOST_AUTO_TEST_CASE(identity, *description(
    "stack9_thread_self() and stack9_thread_find() agree; EINVAL, ESRCH"))
{
	stack9_thread self, found;
	BOOST_REQUIRE(stack9_thread_self(&self) == 0);
	BOOST_REQUIRE(stack9_thread_find(gettid(), &found) == 0);
	BOOST_TEST(self.tid == gettid());
	BOOST_TEST(self.pid == getpid());
	BOOST_TEST(self.start != 0u);
	BOOST_TEST(found.tid == self.tid);
	BOOST_TEST(found.pid == self.pid);
	BOOST_TEST(found.start == self.start);
	sibling s;
	BOOST_REQUIRE(stack9_thread_find(s.tid(), &found) == 0);
	BOOST_TEST(found.tid == s.tid());
	BOOST_TEST(found.pid == getpid());
	const stack9_thread kept = found;
	for (pid_t tid : {0, -1, -2147483647 - 1})
		BOOST_TEST(stack9_thread_find(tid, &found) == EINVAL);
	for (pid_t tid : {2147483647, 1 << 22})
		BOOST_TEST(stack9_thread_find(tid, &found) == ESRCH);
	BOOST_TEST(stack9_thread_find(1, nullptr) == EINVAL);
	BOOST_TEST(stack9_thread_self(nullptr) == EINVAL);
	BOOST_TEST(found.tid == kept.tid);
	BOOST_TEST(found.start == kept.start);
}

BOOST_AUTO_TEST_CASE(current, *description(
    "curthread and curproc are the calling thread and its process; these "
    "pointers are valid as long as the thread lives"))
{
	struct thread *const mine = curthread;
	BOOST_TEST(mine == curthread);
	BOOST_TEST(mine->td_tid == gettid());
	BOOST_TEST(mine->td_proc == curproc);
	BOOST_TEST(curproc->p_pid == getpid());
	BOOST_TEST(std::string(curproc->p_comm) ==
	    program_invocation_short_name);
	std::thread([mine] {
		pthread_setname_np(pthread_self(), "named");
		BOOST_TEST(curthread != mine);
		BOOST_TEST(curthread->td_tid == gettid());
		BOOST_TEST(curthread->td_name == "named");
		BOOST_TEST(curproc->p_pid == getpid());
		BOOST_TEST(curproc->p_numthreads == alone() + 1);
		BOOST_TEST(mine->td_proc->p_pid == getpid());
	}).join();
	BOOST_TEST(mine == curthread);
}

BOOST_AUTO_TEST_CASE(after_fork, *description(
    "COMPATIBILITY: A child of fork(2) finds itself by curthread (the same "
    "pointer, new contents)"))
{
	struct thread *const mine = curthread;
	PROC_LOCK(curproc);
	BOOST_TEST(!tids_of(curproc).empty());
	const pid_t pid = fork();
	if (pid == 0) {
		const auto size = static_cast<std::size_t>(threads_now());
		const bool good = curthread == mine &&
		    mine->td_tid == getpid() && curproc->p_pid == getpid() &&
		    tdfind(getpid(), getpid()) == mine &&
		    pfind(getpid()) == curproc &&
		    tids_of(curproc).size() == size &&
		    tids_of(curproc)[0] == getpid();
		PROC_UNLOCK(curproc);
		PROC_UNLOCK(curproc);
		PROC_UNLOCK(curproc);
		PROC_LOCK(curproc);
		_exit(good && curproc->p_numthreads == threads_now() &&
		    tids_of(curproc).size() == size ? 17 : 1);
	}
	int status;
	waitpid(pid, &status, 0);
	BOOST_TEST(WEXITSTATUS(status) == 17);
	PROC_UNLOCK(curproc);
	BOOST_TEST(curthread->td_tid == gettid());
}

BOOST_AUTO_TEST_CASE(find_self, *description(
    "The calling thread and its process are found as curthread and curproc"))
{
	BOOST_TEST(tdfind(gettid(), -1) == curthread);
	BOOST_TEST(tdfind(gettid(), getpid()) == curthread);
	BOOST_TEST(pfind(getpid()) == curproc);
	BOOST_TEST(thread_find(curproc, gettid()) == curthread);
	PROC_UNLOCK(curproc);
	PROC_UNLOCK(curproc);
	PROC_UNLOCK(curproc);
	BOOST_TEST(curthread->td_tid == gettid());
}

BOOST_AUTO_TEST_CASE(find_sibling, *description(
    "tdfind() finds the thread tid of process pid, or of any process if pid is "
    "-1"))
{
	sibling s;
	struct thread *td = tdfind(s.tid(), getpid());
	BOOST_REQUIRE(td != nullptr);
	BOOST_TEST(td->td_tid == s.tid());
	BOOST_TEST(td->td_proc == curproc);
	BOOST_TEST(tdfind(s.tid(), -1) == td);
	BOOST_TEST(thread_find(curproc, s.tid()) == td);
	BOOST_TEST(tdfind(s.tid(), getppid()) == nullptr);
	BOOST_TEST(tdfind(s.tid(), s.tid()) == nullptr);
	// A thread is not a process, though /proc has it.
	BOOST_TEST(pfind(s.tid()) == nullptr);
	PROC_UNLOCK(curproc);
	PROC_UNLOCK(curproc);
}

BOOST_AUTO_TEST_CASE(none, *description(
    "tdfind(), pfind() and thread_find() return NULL if there is no such "
    "thread or process, or if it is dead"))
{
	for (pid_t id : {0, -1, -2147483647 - 1, 2147483647, 1 << 22}) {
		BOOST_TEST(tdfind(id, -1) == nullptr);
		BOOST_TEST(pfind(id) == nullptr);
		BOOST_TEST(thread_find(curproc, id) == nullptr);
	}
	child c(nothing);
	BOOST_TEST(thread_find(curproc, c.pid()) == nullptr);
	struct proc *p = pfind(c.pid());
	BOOST_REQUIRE(p != nullptr);
	const pid_t pid = c.pid();
	c.kill_only();			// a zombie now
	BOOST_TEST(tdfind(pid, -1) == nullptr);
	BOOST_TEST(thread_find(p, pid) == nullptr);
	BOOST_TEST(pfind(pid) == nullptr);
	c.end();
	BOOST_TEST(tdfind(pid, pid) == nullptr);
	BOOST_TEST(thread_find(p, pid) == nullptr);
	BOOST_TEST(p->p_pid == pid);	// the pointer is still good
	PROC_UNLOCK(p);
}

BOOST_AUTO_TEST_CASE(same_pointer, *description(
    "Both lock the process. The pointers that they return are valid until the "
    "calling thread's PROC_UNLOCK() of the process, or until its PRELE() if it "
    "has called PHOLD(). Until then, the same thread or process is always "
    "found by the same pointer"))
{
	child c(nothing);
	struct proc *p = pfind(c.pid());
	BOOST_REQUIRE(p != nullptr);
	struct thread *td = tdfind(c.pid(), p->p_pid);
	BOOST_REQUIRE(td != nullptr);
	BOOST_TEST(td->td_proc == p);
	PROC_UNLOCK(p);			// tdfind()'s
	BOOST_TEST(thread_find(p, c.pid()) == td);
	PHOLD(p);
	PROC_UNLOCK(p);			// pfind()'s
	BOOST_TEST(p->p_pid == c.pid());
	BOOST_TEST(td->td_tid == c.pid());
	for (int i = 0; i < 3; i++) {
		BOOST_TEST(tdfind(c.pid(), -1) == td);
		PROC_UNLOCK(p);
	}
	_PHOLD(p);
	_PRELE(p);
	BOOST_TEST(pfind(c.pid()) == p);
	PRELE(p);
	BOOST_TEST(p->p_pid == c.pid());
	PROC_UNLOCK(p);
}

BOOST_AUTO_TEST_CASE(leader_gone, *description(
    "pfind() finds a process: whose first thread has ended too"))
{
	int ready[2];
	BOOST_REQUIRE(pipe(ready) == 0);
	const pid_t pid = fork();
	if (pid == 0) {
		std::thread([&] {
			while (state_of(getpid()) != 'Z')
				sched_yield();
			(void)!write(ready[1], "", 1);
			for (;;)
				pause();
		}).detach();
		syscall(SYS_exit, 0);
	}
	char byte;
	BOOST_REQUIRE(read(ready[0], &byte, 1) == 1);
	struct proc *p = pfind(pid);
	BOOST_REQUIRE(p != nullptr);
	BOOST_TEST(tdfind(pid, pid) == nullptr);
	for (lwpid_t tid : tids_of(p))
		BOOST_TEST(tid != pid);
	BOOST_TEST(!tids_of(p).empty());
	PROC_UNLOCK(p);
	kill(pid, SIGKILL);
	waitpid(pid, nullptr, 0);
	close(ready[0]);
	close(ready[1]);
}

BOOST_AUTO_TEST_CASE(reused, *description(
    "A struct thread names one thread for good: when another thread gets the "
    "tid, it is not the one that was found") * needs("root"))
{
	child before(nothing);
	const pid_t pid = before.pid();
	struct thread *td = tdfind(pid, -1);
	BOOST_REQUIRE(td != nullptr);
	struct proc *p = td->td_proc;
	before.end();
	stack9_thread now{};
	do {				// starts are counted in ticks
		child other(nothing, pid);
		BOOST_REQUIRE(stack9_thread_find(pid, &now) == 0);
	} while (now.start == td->td_start);
	child after(nothing, pid);
	BOOST_TEST(!TD_IS_RUNNING(td));
	BOOST_TEST(thread_find(p, pid) == nullptr);
	BOOST_TEST(tids_of(p).empty());
	struct proc *other = pfind(pid);
	BOOST_REQUIRE(other != nullptr);
	BOOST_TEST(other != p);
	BOOST_TEST(FIRST_THREAD_IN_PROC(other) != td);
	PROC_UNLOCK(other);
	PROC_UNLOCK(p);
}

BOOST_AUTO_TEST_SUITE_END()
