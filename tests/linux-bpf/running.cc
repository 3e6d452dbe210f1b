// Captures threads on a CPU, by every route that can.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/stack.h>
#include <sys/proc.h>

#include "require.h"
#include "kernel_capture.h"

BOOST_AUTO_TEST_SUITE(running)

namespace {

std::vector<std::string>
routes()
{
	return routes_of("kernel stack of a running thread");
}

// The spinners stay on CPU 1, so the test stays off it.
bool
has_second_cpu()
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) != 0 ||
	    !CPU_ISSET(1, &set) || CPU_COUNT(&set) < 2) {
		BOOST_TEST_MESSAGE("needs a second CPU");
		return false;
	}
	CPU_CLR(1, &set);
	sched_setaffinity(0, sizeof set, &set);
	return true;
}

struct off_cpu_1 {
	cpu_set_t before;
	off_cpu_1() { sched_getaffinity(0, sizeof before, &before); }
	~off_cpu_1() { sched_setaffinity(0, sizeof before, &before); }
};

// Counts how 1000 tries ended.
struct tally {
	int captured = 0, in_user_mode = 0, other_eagain = 0, empty = 0,
	    other = 0, rootless = 0;
};

constexpr const char *ipi = "call_function";

bool
has(const std::string &text, const char *word)
{
	return text.find(word) != std::string::npos;
}

tally
try_often(pid_t tid, int times)
{
	tally t;
	const stack9_thread td = thread_of(tid);
	for (int i = 0; i < times; i++) {
		capture c;
		const int error = c.save(td);
		if (error == 0 && c.rec.depth == 0)
			t.empty++;
		else if (error == 0)
			t.captured++;
		else if (error == EAGAIN && c.rec.why == STACK9_WHY_USER_MODE)
			t.in_user_mode++;
		else if (error == EAGAIN)
			t.other_eagain++;
		else
			t.other++;
		if (error != 0 && c.rec.depth != 0)
			t.empty++;
		if (error == 0 && c.rec.why != STACK9_WHY_NONE)
			t.rootless++;
	}
	return t;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_spinner_in_user_mode_is_eagain, *needs("bpf")
    * boost::unit_test::description(
    "EAGAIN is returned for a thread running in user mode; depth is 0"))
{
	const off_cpu_1 restore;
	if (!has_second_cpu())
		return;
	const victim v({doing::spin_user});
	const int times = in_guest() ? rounds(1000, 200) : 1000;
	for (const std::string &r : routes()) {
		const forced only(r);
		// It has to reach its loop first.
		while (try_often(v.pid(), 1).in_user_mode == 0)
			sched_yield();
		const tally t = try_often(v.pid(), times);
		BOOST_TEST_MESSAGE(r << ": user " << t.in_user_mode <<
		    ", moving " << t.other_eagain);
		BOOST_TEST(t.empty == 0);
		BOOST_TEST(t.other == 0);
		BOOST_TEST(t.captured == 0);
		BOOST_TEST(t.in_user_mode > 0);
	}
}

BOOST_AUTO_TEST_CASE(a_spinner_in_system_calls_is_never_an_empty_success,
    *needs("bpf") * boost::unit_test::description(
    "each of 1000 tries answers with kernel frames or EAGAIN"))
{
	const off_cpu_1 restore;
	if (!has_second_cpu())
		return;
	const victim v({doing::spin_syscall});
	const int times = in_guest() ? rounds(1000, 250) : 1000;
	for (const std::string &r : routes()) {
		const forced only(r);
		// On a busy machine it may wait for its CPU for long.
		while (try_often(v.pid(), 1).captured == 0)
			sched_yield();
		const tally t = try_often(v.pid(), times);
		BOOST_TEST_MESSAGE(r << ": kernel " << t.captured <<
		    ", user " << t.in_user_mode << ", moving " <<
		    t.other_eagain);
		BOOST_TEST(t.empty == 0);
		BOOST_TEST(t.other == 0);
		BOOST_TEST(t.rootless == 0);
		BOOST_TEST(t.captured + t.in_user_mode + t.other_eagain ==
		    times);
	}
}

BOOST_AUTO_TEST_CASE(its_frames_are_its_own, *needs("bpf")
    * boost::unit_test::description(
    "frames below the interrupt's entry are its kernel stack"))
{
	const off_cpu_1 restore;
	if (!has_second_cpu())
		return;
	const victim v({doing::spin_syscall});
	for (const std::string &r : routes()) {
		const forced only(r);
		int seen = 0;
		while (seen < 20) {
			capture c;
			if (c.save(v.pid()) != 0 || c.rec.route != r) {
				sched_yield();
				continue;
			}
			BOOST_TEST((c.rec.flags & STACK9_STACK_EXACT) != 0u);
			const std::vector<std::string> lines = named(c.rec);
			BOOST_REQUIRE(!lines.empty());
			const std::string all =
			    fmt::to_string(fmt::join(lines, "\n"));
			// Somebody watches all system calls: a program runs
			// in the thread, and its frames are the thread's.
			if (has(all, "trace_call_bpf") ||
			    has(all, "__bpf_trace_sys_"))
				continue;
			BOOST_TEST(!has(all, "bpf_"), all);
			// If frames of the capture's own interrupt were left,
			// the innermost one would be among them.  After it they
			// are of another interrupt, in whose last steps the
			// thread was, and are the thread's.
			BOOST_TEST(!has(lines.front(), ipi), all);
			if (has(all, ipi))
				continue;
			seen++;
		}
	}
}

BOOST_AUTO_TEST_CASE(both_generations_have_their_word, *needs("bpf")
    * boost::unit_test::description(
    "stack_save_td says EBUSY where stack_save_td_running says EAGAIN"))
{
	const off_cpu_1 restore;
	if (!has_second_cpu())
		return;
	const victim v({doing::spin_user});
	struct thread *td = tdfind(v.pid(), v.pid());
	BOOST_REQUIRE(td != nullptr);
	BOOST_TEST(TD_IS_RUNNING(td));
	int old_word = 0, new_word = 0;
	while (old_word == 0 || new_word == 0) {
		struct stack st;
		if (const int e = stack_save_td_running(&st, td); e != 0) {
			BOOST_TEST(st.depth == 0);
			old_word = e;
		}
		if (const int e = stack_save_td(&st, td); e != 0) {
			BOOST_TEST(st.depth == 0);
			new_word = e;
		}
	}
	BOOST_TEST(old_word == EAGAIN);
	BOOST_TEST(new_word == EBUSY);
	PROC_UNLOCK(td->td_proc);
}

BOOST_AUTO_TEST_CASE(the_caller_asking_for_its_kernel_stack_is_in_user_mode,
    *needs("bpf") * boost::unit_test::description(
    "self: EAGAIN for the kernel side, its own stack for the user side"))
{
	stack9_thread self{};
	BOOST_REQUIRE_EQUAL(stack9_thread_self(&self), 0);
	capture c;
	BOOST_TEST(c.save(self) == EAGAIN);
	BOOST_TEST(c.rec.why == STACK9_WHY_USER_MODE);
	BOOST_TEST(c.save(self, STACK9_USER) == 0);
	BOOST_TEST(c.rec.depth > 1u);
	struct stack st, own;
	BOOST_TEST(stack_save_td(&st, curthread) == 0);
	stack_save(&own);
	// The calls return to two places of this function.
	BOOST_TEST(st.depth > 1);
	BOOST_TEST(st.depth == own.depth);
	BOOST_TEST(std::equal(st.pcs + 1, st.pcs + st.depth, own.pcs + 1));
	BOOST_TEST(std::search(c.pcs, c.pcs + c.rec.depth, own.pcs + 1,
	    own.pcs + own.depth) != c.pcs + c.rec.depth);
}

BOOST_AUTO_TEST_SUITE_END()
