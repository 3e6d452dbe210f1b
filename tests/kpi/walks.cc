// Tests stack(9), "Threads": walks and locks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <barrier>
#include <memory>
#include <set>

#include <malloc.h>

#include "victims.h"

using boost::unit_test::description;

BOOST_FIXTURE_TEST_SUITE(walks, settled)

BOOST_AUTO_TEST_CASE(walk, *description(
    "FOREACH_THREAD_IN_PROC(p, td) walks the threads of p, by ascending tid"))
{
	std::vector<std::unique_ptr<sibling>> siblings;
	PROC_LOCK(curproc);
	const auto others = tids_of(curproc);
	PROC_UNLOCK(curproc);
	std::set<lwpid_t> expected(others.begin(), others.end());
	for (int i = 0; i < 20; i++) {
		siblings.push_back(std::make_unique<sibling>());
		expected.insert(siblings.back()->tid());
	}
	PROC_LOCK(curproc);
	BOOST_TEST(expected.size() == 20u + alone());
	BOOST_TEST(curproc->p_numthreads == 20 + alone());
	BOOST_TEST((tids_of(curproc) ==
	    std::vector<lwpid_t>(expected.begin(), expected.end())));
	BOOST_TEST(FIRST_THREAD_IN_PROC(curproc)->td_tid == *expected.begin());
	bool self = false;
	struct thread *td;
	FOREACH_THREAD_IN_PROC(curproc, td)
		self = self || td == curthread;
	BOOST_TEST(self);
	PROC_UNLOCK(curproc);
}

BOOST_AUTO_TEST_CASE(walk_holds_still, *description(
    "While p is locked, every walk visits the same threads, and no more than "
    "p_numthreads of them"))
{
	sibling stays;
	auto ends = std::make_unique<sibling>();
	PROC_LOCK(curproc);
	sibling born_before_the_walk;
	const auto tids = tids_of(curproc);
	BOOST_TEST(curproc->p_numthreads == 2 + alone());
	BOOST_TEST(tids.size() == 2u + alone());
	const pid_t ended = ends->tid();
	ends.reset();
	while (state_of(ended) != 0)
		sched_yield();
	BOOST_TEST(tids_of(curproc) == tids);
	sibling born_after;
	BOOST_TEST(tids_of(curproc) == tids);
	PROC_LOCK(curproc);		// counted: changes nothing
	PROC_UNLOCK(curproc);
	BOOST_TEST(tids_of(curproc) == tids);
	PROC_UNLOCK(curproc);
	PROC_LOCK(curproc);
	BOOST_TEST(curproc->p_numthreads == 3 + alone());
	BOOST_TEST(tids_of(curproc).size() == 3u + alone());
	int pairs = 0;
	struct thread *a, *b;
	FOREACH_THREAD_IN_PROC(curproc, a)
		FOREACH_THREAD_IN_PROC(curproc, b)
			pairs++;
	BOOST_TEST(pairs == (3 + alone()) * (3 + alone()));
	PROC_UNLOCK(curproc);
}

BOOST_AUTO_TEST_CASE(running, *description(
    "TD_IS_RUNNING() is true of curthread and of a thread that Linux calls "
    "running"))
{
	BOOST_TEST(TD_IS_RUNNING(curthread));
	child sleeper(nothing);
	while (state_of(sleeper.pid()) != 'S')
		sched_yield();
	std::atomic<bool> end{false};
	std::atomic<pid_t> tid{0};
	std::thread spinner([&] {
		for (tid = gettid(); !end;)
			;
	});
	while (tid == 0)
		sched_yield();
	struct thread *asleep = tdfind(sleeper.pid(), -1);
	struct thread *busy = tdfind(tid, -1);
	BOOST_TEST(!TD_IS_RUNNING(asleep));
	BOOST_TEST(TD_IS_RUNNING(busy));
	BOOST_TEST(!TD_IS_SWAPPED(asleep));
	BOOST_TEST(!TD_IS_SWAPPED(busy));
	PROC_UNLOCK(asleep->td_proc);
	PROC_UNLOCK(busy->td_proc);
	end = true;
	spinner.join();
}

BOOST_AUTO_TEST_CASE(locks_do_nothing, *description(
    "COMPATIBILITY: thread_lock(), thread_unlock() and the assertions do "
    "nothing; a locked thread continues to run"))
{
	std::atomic<unsigned long> steps{0};
	std::atomic<bool> end{false};
	std::thread runner([&] {
		while (!end)
			steps++;
	});
	while (steps == 0)
		sched_yield();
	PROC_LOCK(curproc);
	PROC_LOCK_ASSERT(curproc, MA_OWNED);
	struct thread *td;
	FOREACH_THREAD_IN_PROC(curproc, td) {
		thread_lock(td);
		THREAD_LOCK_ASSERT(td, MA_OWNED);
		const unsigned long before = steps;
		while (steps == before)
			sched_yield();
		thread_unlock(td);
	}
	PROC_UNLOCK(curproc);
	end = true;
	runner.join();
}

BOOST_AUTO_TEST_CASE(others_pointer, *description(
    "COMPATIBILITY: Another thread's curproc is another pointer to the same "
    "process: compare p_pid"))
{
	struct thread *const mine = curthread;
	const int seen = curproc->p_numthreads;
	std::thread([mine] {
		BOOST_TEST(mine->td_proc != curproc);
		BOOST_TEST(mine->td_proc->p_pid == curproc->p_pid);
		PROC_LOCK(mine->td_proc);
		BOOST_TEST(tids_of(mine->td_proc).size() == 1u + alone());
		PROC_UNLOCK(mine->td_proc);
	}).join();
	BOOST_TEST(curproc->p_numthreads == seen);
}

BOOST_AUTO_TEST_CASE(unbalanced, *description(
    "COMPATIBILITY: When a thread exits, its locks and holds are released"))
{
	child c(nothing);
	const auto leave = [&] {
		std::thread([&] {
			struct proc *p = pfind(c.pid());
			BOOST_REQUIRE(p != nullptr);
			PHOLD(p);
			BOOST_REQUIRE(tdfind(gettid(), -1) != nullptr);
			tids_of(curproc);
		}).join();
	};
	for (int i = 0; i < 10; i++)
		leave();
	const auto before = mallinfo2().uordblks;
	for (int i = 0; i < 100; i++)
		leave();
	// A view is some 150 bytes, and there would be 200 of them.
	BOOST_TEST(mallinfo2().uordblks < before + 8192);
	struct proc nowhere{};
	nowhere.p_pid = c.pid();
	PROC_UNLOCK(&nowhere);		// never locked
	PRELE(&nowhere);
}

BOOST_AUTO_TEST_CASE(storm, *description(
    "Any number of threads may make these calls at once, while threads start "
    "and end: tdfind(), pfind() and FOREACH_THREAD_IN_PROC()"))
{
	std::atomic<bool> end{false};
	std::vector<std::thread> walkers;
	std::atomic<int> wrong{0};
	std::barrier all(4);
	for (int i = 0; i < 4; i++)
		walkers.emplace_back([&] {
			all.arrive_and_wait();
			while (!end) {
				struct proc *p = pfind(getpid());
				int n = 0;
				lwpid_t last = 0;
				struct thread *td;
				FOREACH_THREAD_IN_PROC(p, td) {
					wrong += td->td_tid <= last;
					last = td->td_tid;
					n++;
					if (tdfind(last, -1) != nullptr)
						PROC_UNLOCK(p);
				}
				wrong += n > p->p_numthreads || n < 5;
				PROC_UNLOCK(p);
			}
			all.arrive_and_wait();	// 5 to the last
		});
	for (int i = 0; i < 300; i++)
		std::thread([] {}).join();
	end = true;
	for (std::thread &w : walkers)
		w.join();
	BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
