// Tests sleeping threads, by every route there is.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <csignal>
#include <unistd.h>

#include "core/seam/record.h"
#include "require.h"
#include "kernel_capture.h"

BOOST_AUTO_TEST_SUITE(sleeping)

namespace {

const std::string job = "kernel stack";

// The routes that give addresses.
std::vector<std::string>
routes()
{
	std::vector<std::string> all = routes_of(job);
	std::erase(all, "procfs");
	return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(its_kernel_stack_is_that_of_proc, *needs("bpf")
    * boost::unit_test::description(
    "STACK9_KERNEL: The kernel stack of a thread of any process, whether the "
    "thread sleeps or runs."))
{
	BOOST_REQUIRE(!routes().empty());
	const victim v({std::begin(all_sleepers), std::end(all_sleepers)});
	for (const std::string &r : routes()) {
		const forced only(r);
		for (const pid_t tid : v.tids()) {
			capture c;
			BOOST_REQUIRE_EQUAL(c.save(thread_of(tid)), 0);
			BOOST_TEST(c.rec.route == r);
			BOOST_TEST(c.rec.why == STACK9_WHY_NONE);
			BOOST_TEST(named(c.rec) == proc_stack(tid),
			    boost::test_tools::per_element());
		}
	}
}

BOOST_AUTO_TEST_CASE(the_record_says_who_and_where, *needs("bpf")
    * boost::unit_test::description(
    "the thread's name, its state as /proc/TID/stat has it, its cpu"))
{
	const victim v({doing::read});
	for (const std::string &r : routes()) {
		const forced only(r);
		capture c;
		const stack9_thread td = thread_of(v.pid());
		BOOST_REQUIRE_EQUAL(c.save(td), 0);
		BOOST_TEST(c.rec.thread.tid == v.pid());
		BOOST_TEST(c.rec.thread.pid == v.pid());
		BOOST_TEST(c.rec.thread.start == td.start);
		BOOST_TEST(c.rec.comm == std::string("v0-0"));
		BOOST_TEST(c.rec.state == 'S');
		BOOST_TEST(c.rec.cpu >= 0);
		BOOST_TEST(c.rec.when_ns > 0u);
	}
}

BOOST_AUTO_TEST_CASE(too_little_room_is_told, *needs("bpf")
    * boost::unit_test::description(
    "why says TRUNCATED and dropped how many frames are missing"))
{
	const victim v({doing::read});
	capture whole;
	BOOST_REQUIRE_EQUAL(whole.save(v.pid()), 0);
	for (const std::string &r : routes()) {
		const forced only(r);
		capture c(2);
		BOOST_REQUIRE_EQUAL(c.save(v.pid()), 0);
		BOOST_TEST(c.rec.depth == 2u);
		BOOST_TEST(c.rec.dropped == whole.rec.depth - 2);
		BOOST_TEST(c.rec.why == STACK9_WHY_TRUNCATED);
		BOOST_TEST(c.rec.pcs[1] == whole.rec.pcs[1]);
	}
}

BOOST_AUTO_TEST_CASE(a_stopped_thread_stays_stopped, *needs("bpf")
    * boost::unit_test::description("Stops nobody and disturbs nothing"))
{
	const victim v({doing::read});
	kill(v.pid(), SIGSTOP);
	wait_for_state(v.pid(), 'T');
	for (const std::string &r : routes()) {
		const forced only(r);
		capture c;
		BOOST_TEST(c.save(v.pid()) == 0);
		BOOST_TEST(c.rec.state == 'T');
		BOOST_TEST(state_of(v.pid()) == 'T');
	}
}

BOOST_AUTO_TEST_CASE(a_kernel_thread_has_a_kernel_stack_only, *needs("bpf")
    * boost::unit_test::description(
    "kernel threads: kernel stack 0, user stack EOPNOTSUPP"))
{
	const pid_t kthreadd = 2;
	if (access("/proc/2/stack", F_OK) != 0 ||
	    !proc_stack(kthreadd).size()) {
		BOOST_TEST_MESSAGE("no kthreadd in this pid namespace");
		return;
	}
	int seen = 0;
	for (const std::string &r : routes()) {
		const forced only(r);
		capture c;
		const int error = c.save(kthreadd);
		// A guarded machine hides some of its own threads from BPF.
		if (error == ESRCH)
			continue;
		seen++;
		BOOST_TEST(error == 0);
		BOOST_TEST(named(c.rec) == proc_stack(kthreadd),
		    boost::test_tools::per_element());
		BOOST_TEST(named(c.rec).back().starts_with("ret_from_fork"));
	}
	BOOST_TEST(seen > 0);
	capture c;
	BOOST_TEST(c.save(stack9_thread{kthreadd, kthreadd, 0}, STACK9_USER) ==
	    EOPNOTSUPP);
}

BOOST_AUTO_TEST_CASE(names_only_where_bpf_is_refused, *needs("root")
    * boost::unit_test::description(
    "text: buffer for a route that has names and no addresses"))
{
	const victim v({doing::read});
	const forced only("procfs");
	capture bare;
	BOOST_TEST(bare.save(v.pid()) == EOPNOTSUPP);
	BOOST_TEST(bare.rec.depth == 0u);
	char text[4096];
	capture c;
	c.rec.text = text;
	c.rec.text_size = sizeof text;
	std::fill(std::begin(c.pcs), std::end(c.pcs), 1);
	BOOST_REQUIRE_EQUAL(c.save(thread_of(v.pid())), 0);
	BOOST_TEST((c.rec.flags & stack9::record_has_text) != 0u);
	std::string expected;
	for (const std::string &line : proc_stack(v.pid()))
		expected += line + "\n";
	BOOST_TEST(std::string(text) == expected);
	// "text has names; pcs are all 0"
	BOOST_TEST(std::count(std::begin(c.pcs), std::end(c.pcs), 0u) == 512);
	const victim runs({doing::spin_user});
	BOOST_TEST(c.save(runs.pid()) == EAGAIN);
	BOOST_TEST(c.rec.why == STACK9_WHY_ON_CPU);
}

BOOST_AUTO_TEST_SUITE_END()
