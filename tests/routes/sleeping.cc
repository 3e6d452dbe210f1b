// Tests what each route says of threads that sleep or are stopped.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <csignal>
#include <set>

#include "core_calls.h"
#include "pass.h"
#include "require.h"
#include "rows.h"

BOOST_AUTO_TEST_SUITE(sleeping)

namespace {

using boost::unit_test::description;

// The calls in which a victim's threads sleep, by the number in their names.
constexpr const char *calls[] = {"read", "poll", "syscall", "nanosleep",
    "epoll_wait", "sig"};

// True if these are the functions of this thread of a victim.
bool
is_truth(const row &r, const answer &a)
{
	if (r.side == STACK9_KERNEL)
		return a.names == kernel_functions(a.thread.tid);
	const auto what = static_cast<std::size_t>(a.comm[1] - '0');
	return what < std::size(calls) && a.names.size() > 2 &&
	    a.names[0].find(calls[what]) != std::string::npos &&
	    std::count_if(a.names.begin(), a.names.end(),
	    [](const std::string &n) {
		    return n.find("do_it") != std::string::npos;
	    }) == 1;
}

} // namespace

BOOST_AUTO_TEST_CASE(its_stack_is_what_it_is, *description(
    "STACK9_KERNEL: The kernel stack of a thread of any process, whether the "
    "thread sleeps or runs."))
{
	const victim v({std::begin(all_sleepers), std::end(all_sleepers)});
	by_each(rows(), [&](const row &r) {
		for (const pid_t tid : v.tids()) {
			wait_for_state(tid, 'S');
			const answer a = ask(r, thread_of(tid));
			BOOST_TEST(a.error == 0);
			if (lacks_registers(r, a))
				continue;
			BOOST_TEST(a.why == STACK9_WHY_NONE,
			    stack9_why_text(a.why));
			BOOST_TEST(is_truth(r, a), joined(a.names));
		}
	});
}

BOOST_AUTO_TEST_CASE(the_record_says_who_and_where, *description(
    "the thread's name, its state as /proc/TID/stat has it, its cpu"))
{
	const victim v({doing::read, doing::poll});
	by_each(rows(), [&](const row &r) {
		for (const pid_t tid : v.tids()) {
			const stack9_thread td = thread_of(tid);
			// A route that stops has it begin its call again.
			wait_for_state(tid, 'S');
			const answer a = ask(r, td);
			BOOST_TEST(a.thread.tid == tid);
			BOOST_TEST(a.thread.pid == v.pid());
			BOOST_TEST(a.thread.start == td.start);
			BOOST_TEST(a.comm.starts_with("v"), a.comm);
			BOOST_TEST(a.state == 'S');
			BOOST_TEST(a.cpu >= 0);
			BOOST_TEST(a.when_ns > 0u);
			BOOST_TEST(a.route == r.route);
			if (r.side == STACK9_KERNEL)
				continue;
			BOOST_TEST(a.has_space);
			BOOST_TEST((a.flags & STACK9_STACK_EXACT) != 0u);
		}
	});
}

BOOST_AUTO_TEST_CASE(a_pid_means_its_leader_only, *description(
    "pid given: the leader's stack only"))
{
	const victim v({doing::poll, doing::futex});
	by_each(captures(), [&](const row &r) {
		const answer a = ask(r, {v.pid(), 0, 0});
		BOOST_TEST(a.error == 0);
		BOOST_TEST(a.thread.tid == v.pid());
		BOOST_TEST(is_truth(r, a), joined(a.names));
	});
}

BOOST_AUTO_TEST_CASE(what_has_no_room_is_counted, *description(
    "why says TRUNCATED and dropped how many frames are missing"))
{
	const victim v({doing::read});
	const stack9_thread td = thread_of(v.pid());
	by_each(captures(), [&](const row &r) {
		if (r.has_names_only)
			return;		// it takes no room for addresses
		const answer all = ask(r, td);
		const auto depth = static_cast<std::uint32_t>(all.pcs.size());
		BOOST_REQUIRE(depth > 2u);
		for (std::uint32_t max = 1; max <= depth; max++) {
			const answer a = ask(r, td, max);
			BOOST_REQUIRE(a.pcs.size() == max);
			// After a stop a call may just be about to begin again.
			BOOST_TEST(std::equal(a.pcs.begin() + 1, a.pcs.end(),
			    all.pcs.begin() + 1));
			if (max == depth) {
				BOOST_TEST(a.why == all.why);
				continue;
			}
			BOOST_TEST(a.why == STACK9_WHY_TRUNCATED);
			BOOST_TEST(a.dropped >= 1u);
			BOOST_TEST(a.dropped <= depth - max);
			BOOST_TEST((r.side == STACK9_USER ||
			    a.dropped == depth - max));
		}
	});
}

BOOST_AUTO_TEST_CASE(a_stopped_process_stays_stopped, *description(
    "stopped by SIGSTOP: 0, still stopped afterwards"))
{
	const victim v({doing::read, doing::poll});
	// A thread that a tracer has let go stops again: for a moment it runs.
	const auto wait_for_all = [&] {
		for (const pid_t tid : v.tids())
			wait_for_state(tid, 'T');
	};
	kill(v.pid(), SIGSTOP);
	wait_for_all();
	by_each(rows(), [&](const row &r) {
		for (const pid_t tid : v.tids()) {
			const answer a = ask(r, thread_of(tid));
			BOOST_TEST(a.error == 0);
			BOOST_TEST(a.state == 'T');
			wait_for_all();
		}
	});
}

BOOST_AUTO_TEST_CASE(a_kernel_thread_has_a_kernel_stack_only, *needs("root") *
    description("kernel threads: kernel stack 0, user stack EOPNOTSUPP"))
{
	constexpr pid_t kthreadd = 2;
	if (kernel_functions(kthreadd).empty()) {
		BOOST_TEST_MESSAGE("no kthreadd in this pid namespace");
		return;
	}
	int seen = 0;
	by_each(rows(), [&](const row &r) {
		const answer a = ask(r, {kthreadd, kthreadd, 0});
		if (r.side == STACK9_USER) {
			BOOST_TEST(a.error == EOPNOTSUPP);
			BOOST_TEST(a.why == STACK9_WHY_KTHREAD);
			if (!r.is_pass)
				return;
			const pass both(STACK9_BOTH, kthreadd);
			BOOST_TEST(both.disorder() == "");
			BOOST_REQUIRE(both.of(kthreadd) != nullptr);
			BOOST_TEST(both.of(kthreadd, STACK9_KERNEL)->rec.error
			    == 0);
			return;
		}
		// A guarded machine hides some of its own threads from BPF.
		if (a.error == ESRCH)
			return;
		seen++;
		BOOST_TEST(a.error == 0);
		BOOST_TEST(is_truth(r, a), joined(a.names));
		BOOST_TEST(a.names.back().starts_with("ret_from_fork"));
	});
	BOOST_TEST(seen > 0);
}

BOOST_AUTO_TEST_SUITE_END()
