// Tests that all threads of a process are held at one instant.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <set>

#include <sys/syscall.h>

#include "require.h"
#include "routes.h"
#include "take.h"

using boost::unit_test::description;

namespace {

void
check_all(const noted &v, const std::map<pid_t, std::unique_ptr<taken>> &all)
{
	for (std::size_t i = 0; i < v.size(); i++) {
		BOOST_REQUIRE(all.count(v.tid(i)) == 1u);
		const taken &t = *all.at(v.tid(i));
		BOOST_TEST_INFO(words(t));
		BOOST_REQUIRE(t.error == 0);
		BOOST_REQUIRE(fault_of(t.copy, v.of(i)) == "");
		BOOST_TEST(t.rec.thread.pid == v.pid());
		BOOST_TEST(t.rec.thread.start != 0u);
	}
}

} // namespace

BOOST_AUTO_TEST_CASE(every_thread_of_a_process_is_copied, *needs("ptrace"))
{
	const noted v({deed::read, deed::spin, deed::tick, deed::calls,
	    deed::futex, deed::poll, deed::nanosleep});
	for (int i = 0; i < 100; i++) {
		int error;
		const auto all = take_all_in_time(all_route(), v.pid(),
		    error);
		BOOST_REQUIRE(error == 0);
		BOOST_TEST(all.size() == v.size());
		check_all(v, all);
	}
	for (std::size_t i : {1, 2, 3})
		wait_until_it_goes_on(v.of(i));
	for (std::size_t i : {0, 4, 5, 6})
		BOOST_TEST(v.of(i).returned == 0u);
}

// The leader counts on its stack, then publishes; a follower copies what was
// published.  Seen at one moment no follower is ahead; were the leader let go
// before a follower has stopped, it would be.
BOOST_AUTO_TEST_CASE(they_are_copied_at_one_instant, *needs("ptrace")
    * description("--stop: one consistent moment"))
{
	const noted v({deed::read, deed::lead, deed::follow, deed::follow});
	for (int i = 0; i < 300; i++) {
		int error;
		const auto all = take_all_in_time(all_route(), v.pid(),
		    error);
		BOOST_REQUIRE(error == 0);
		const std::uint64_t leader = word_at(all.at(v.tid(1))->copy,
		    v.of(1).count);
		BOOST_TEST(leader > 0u);
		for (const std::size_t f : {2, 3})
			BOOST_REQUIRE(word_at(all.at(v.tid(f))->copy,
			    v.of(f).count) <= leader);
	}
}

BOOST_AUTO_TEST_CASE(a_thousand_threads_are_copied, *needs("ptrace"))
{
	const noted v(std::vector<deed>(1000, deed::read));
	int error;
	const auto all = take_all_in_time(all_route(), v.pid(), error);
	BOOST_REQUIRE(error == 0);
	BOOST_TEST(all.size() == 1000u);
	check_all(v, all);
	for (std::size_t i = 0; i < v.size(); i++)
		wait_for_state(v.tid(i), 'S');
}

BOOST_AUTO_TEST_CASE(threads_that_come_and_go_are_whole_or_gone,
    *needs("ptrace"))
{
	const noted v({deed::read, deed::come_and_go, deed::come_and_go,
	    deed::spin});
	for (int i = 0; i < 300; i++) {
		int error;
		const auto all = take_all_in_time(all_route(), v.pid(),
		    error);
		BOOST_REQUIRE(error == 0);
		check_all(v, all);
		for (const auto &[tid, t] : all) {
			BOOST_TEST_INFO(words(*t));
			BOOST_REQUIRE((t->error == 0 || t->error == ESRCH));
			BOOST_REQUIRE((t->error != 0 ||
			    t->copy.stack.bytes.size() != 0));
		}
	}
	wait_until_it_goes_on(v.of(1));
	wait_until_it_goes_on(v.of(2));
}

BOOST_AUTO_TEST_CASE(one_that_does_not_stop_leaves_the_others_whole,
    *needs("ptrace"))
{
	const noted v({deed::read, deed::vfork, deed::spin});
	int error;
	const auto all = take_all_in_time(all_route(), v.pid(), error,
	    v.tid(1));
	BOOST_REQUIRE(error == 0);
	BOOST_TEST(all.at(v.tid(1))->error == EAGAIN);
	BOOST_TEST(all.at(v.tid(1))->rec.why == STACK9_WHY_SILENT);
	for (const std::size_t i : {0, 2})
		BOOST_TEST(fault_of(all.at(v.tid(i))->copy, v.of(i)) == "");
	wait_until_it_goes_on(v.of(2));
}

BOOST_AUTO_TEST_CASE(a_dead_leader_does_not_hide_its_threads, *needs("ptrace"))
{
	int ends[2];
	BOOST_REQUIRE(pipe(ends) == 0);
	helper leaderless([&] {
		pthread_t t;
		pthread_create(&t, nullptr, [](void *arg) -> void * {
			const pid_t tid = gettid();
			if (write(*static_cast<int *>(arg), &tid, sizeof tid) ==
			    sizeof tid)
				pause();
			return nullptr;
		}, &ends[1]);
		syscall(SYS_exit, 0);
	});
	const pid_t pid = leaderless.pid();
	pid_t tid = 0;
	BOOST_REQUIRE(read(ends[0], &tid, sizeof tid) == sizeof tid);
	wait_for_state(pid, 'Z');
	wait_for_state(tid, 'S');
	int error;
	const auto all = take_all_in_time(all_route(), pid, error);
	BOOST_REQUIRE(error == 0);
	BOOST_TEST(all.at(pid)->error == ESRCH);
	BOOST_TEST(all.at(pid)->rec.why == STACK9_WHY_ZOMBIE);
	BOOST_TEST_INFO(words(*all.at(tid)));
	BOOST_TEST(all.at(tid)->error == 0);
	BOOST_TEST(take_in_time(route_of<stack9::job::user>(
	    stack9::backend_ptrace), tid).error == 0);
	leaderless.end(SIGKILL);
	close(ends[0]);
	close(ends[1]);
}

BOOST_AUTO_TEST_CASE(whose_process_is_not_to_be_traced_is_reported,
    *needs("ptrace"))
{
	int error;
	const auto own = take_all(all_route(), getpid(), error);
	BOOST_TEST(error == 0);
	BOOST_TEST(own.size() >= 1u);
	for (const auto &[tid, t] : own)
		BOOST_TEST(t->error == EOPNOTSUPP);
	noted v({deed::read, deed::read});
	take_all(all_route(), v.tid(1), error);
	BOOST_TEST(error == ESRCH);	// no process
	const pid_t gone = v.pid();
	v.kill_and_reap();
	take_all(all_route(), gone, error);
	BOOST_TEST(error == ESRCH);
}
