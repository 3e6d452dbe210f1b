// Tests that one thread is held for the copy.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/test_case.hpp>

#include <csignal>

#include <sys/mman.h>
#include <sys/ptrace.h>

#include "arch/cpu.h"

#include "require.h"
#include "routes.h"
#include "take.h"

namespace bdata = boost::unit_test::data;
using boost::unit_test::description;

namespace {

std::uintptr_t
sp_of(const stack9::user_copy &copy)
{
	return copy.value[stack9::unwind::register_sp];
}

void
check_copy(const taken &t, const notes &n)
{
	BOOST_REQUIRE(t.error == 0);
	BOOST_TEST(fault_of(t.copy, n) == "");
	BOOST_TEST(t.copy.known ==
	    (std::uint64_t{1} << stack9::unwind::register_count) - 1);
	BOOST_TEST(sp_of(t.copy) == t.copy.stack.at + stack9::unwind::red_zone);
	BOOST_TEST(sp_of(t.copy) <= n.returns[0].where);
	BOOST_TEST(!t.copy.stack.more);
	BOOST_TEST(t.rec.thread.tid == n.tid);
	BOOST_TEST(t.rec.thread.start != 0u);
	BOOST_TEST(t.rec.when_ns != 0u);
}

bool
is_free(pid_t tid)
{
	return status_number(tid, "TracerPid") == 0;
}

} // namespace

BOOST_TEST_DECORATOR(*needs("ptrace"))
BOOST_DATA_TEST_CASE(a_sleeping_thread_is_copied_and_sleeps_on,
    bdata::make({deed::futex, deed::poll, deed::read, deed::nanosleep}), what)
{
	const noted v({what, what});
	for (int i = 0; i < 100; i++) {
		check_copy(take_in_time(one(), v.tid(1)), v.of(1));
		check_copy(take_in_time(one(), v.tid(0)), v.of(0));
	}
	BOOST_TEST(is_free(v.tid(1)));
	BOOST_TEST(v.of(0).returned == 0u);
	BOOST_TEST(v.of(1).returned == 0u);
	wait_for_state(v.tid(1), 'S');
}

BOOST_TEST_DECORATOR(*needs("ptrace"))
BOOST_DATA_TEST_CASE(a_thread_that_runs_is_copied_and_goes_on,
    bdata::make({deed::spin, deed::calls, deed::tick}), what)
{
	const noted v({deed::read, what});
	for (int i = 0; i < 1000; i++) {
		const taken t = take_in_time(
		    route_of<stack9::job::user_running>(
		    stack9::backend_ptrace), v.tid(1));
		BOOST_TEST_INFO(words(t));
		BOOST_REQUIRE(t.error == 0);
		BOOST_REQUIRE(fault_of(t.copy, v.of(1)) == "");
	}
	wait_until_it_goes_on(v.of(1));
}

BOOST_AUTO_TEST_CASE(a_thread_that_does_not_stop_is_reported_and_let_go,
    *needs("ptrace"))
{
	const noted v({deed::vfork, deed::spin});
	const taken t = take(one(), v.tid());
	BOOST_TEST(t.error == EAGAIN);
	BOOST_TEST(t.rec.why == STACK9_WHY_SILENT);
	BOOST_TEST(is_free(v.tid()));
	BOOST_TEST(state_of(v.tid()) == 'D');
	check_copy(take_in_time(one(), v.tid(1)), v.of(1));
}

BOOST_AUTO_TEST_CASE(a_stopped_process_stays_stopped, *needs("ptrace"))
{
	const noted v({deed::read, deed::spin});
	kill(v.pid(), SIGSTOP);
	wait_for_state(v.tid(0), 'T');
	wait_for_state(v.tid(1), 'T');
	const std::uint64_t rounds = v.of(1).rounds;
	for (int i = 0; i < 100; i++)
		for (int k = 0; k < 2; k++) {
			check_copy(take_in_time(one(), v.tid(k)), v.of(k));
			wait_for_state(v.tid(k), 'T');
			BOOST_REQUIRE(is_free(v.tid(k)));
		}
	BOOST_TEST(v.of(1).rounds == rounds);
	kill(v.pid(), SIGCONT);
	wait_until_it_goes_on(v.of(1));
}

BOOST_AUTO_TEST_CASE(another_tracer_is_reported, *needs("ptrace")
    * description("EBUSY: the thread could only be traced, and another process "
    "traces it; tracer: the tracer"))
{
	const noted v({deed::read, deed::spin});
	int ready[2], over[2];
	BOOST_REQUIRE(pipe(ready) == 0);
	BOOST_REQUIRE(pipe(over) == 0);
	helper other([&] {
		char c = 0;
		close(over[1]);
		ptrace(PTRACE_SEIZE, v.tid(1), nullptr, nullptr);
		if (write(ready[1], &c, 1) == 1)
			_exit(static_cast<int>(read(over[0], &c, 1)));
	});
	char c;
	BOOST_REQUIRE(read(ready[0], &c, 1) == 1);
	const taken t = take(one(), v.tid(1));
	BOOST_TEST(t.error == EBUSY);
	BOOST_TEST(t.rec.why == STACK9_WHY_TRACED);
	BOOST_TEST(t.rec.tracer == other.pid());
	check_copy(take_in_time(one(), v.tid(0)), v.of(0));
	int error;
	const auto all = take_all_in_time(route_of<stack9::job::user_each>(
	    stack9::backend_ptrace), v.pid(), error);
	BOOST_TEST(error == 0);
	BOOST_TEST(all.size() == 2u);
	BOOST_TEST(all.at(v.tid(1))->error == EBUSY);
	BOOST_TEST(all.at(v.tid(1))->rec.tracer == other.pid());
	check_copy(*all.at(v.tid(0)), v.of(0));
	close(over[1]);
	other.end();
	wait_until_it_goes_on(v.of(1));
	for (const int fd : {ready[0], ready[1], over[0]})
		close(fd);
}

BOOST_AUTO_TEST_CASE(no_signal_is_lost_and_none_is_new, *needs("ptrace"))
{
	const noted v(deed::count_signals);
	struct shared {
		std::atomic<std::uint64_t>	sent;
		std::atomic<bool>		over;
	};
	auto *const s = static_cast<shared *>(mmap(nullptr, sizeof(shared),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	BOOST_REQUIRE(s != MAP_FAILED);
	helper sender([&] {
		while (!s->over)
			if (sigqueue(v.pid(), SIGRTMIN, sigval{}) == 0)
				s->sent++;
			else
				sched_yield();
	});
	for (int i = 0; i < 500; i++) {
		const taken t = take_in_time(one(), v.tid());
		BOOST_TEST_INFO(words(t));
		BOOST_REQUIRE(t.error == 0);
		BOOST_REQUIRE(fault_of(t.copy, v.of(0)) == "");
	}
	s->over = true;
	sender.end();
	while (status_number(v.tid(), "ShdPnd") != 0 ||
	    status_number(v.tid(), "SigPnd") != 0)
		sched_yield();
	wait_until_it_goes_on(v.of(0));
	BOOST_TEST(v.of(0).signals == s->sent);
	munmap(s, sizeof(shared));
}

BOOST_AUTO_TEST_CASE(a_deep_stack_is_copied_whole, *needs("ptrace"))
{
	for (const bool first : {true, false}) {
		const noted v(first ? std::vector{deed::deep} :
		    std::vector{deed::read, deed::deep});
		const std::size_t i = first ? 0 : 1;
		const taken t = take_in_time(one(), v.tid(i));
		check_copy(t, v.of(i));
		BOOST_TEST(t.copy.stack.bytes.size() > 4u << 20);
	}
}

BOOST_AUTO_TEST_CASE(another_stack_is_copied_when_asked_for, *needs("ptrace")
    * description("extend_copy: the piece `other` begins anew, "
    "a red zone below wanted"))
{
	const noted v({deed::read, deed::on_other_stack});
	taken t = take_in_time(one(), v.tid(1));
	BOOST_REQUIRE(t.error == 0);
	BOOST_TEST(fault_of(t.copy, v.of(1)) != "");
	BOOST_TEST(take_more_in_time(one(), t, 8) == EFAULT);
	BOOST_TEST(t.copy.other.bytes.size() == 0u);
	BOOST_REQUIRE(take_more_in_time(one(), t, v.of(1).stamps) == 0);
	BOOST_TEST(fault_of(t.copy, v.of(1)) == "");
	// The next one, farther on, in the same piece or a new one.
	const std::size_t before = t.copy.other.bytes.size();
	if (t.copy.other.more) {
		BOOST_TEST(take_more_in_time(one(), t,
		    t.copy.other.at + before) == 0);
		BOOST_TEST(t.copy.other.bytes.size() > before);
	}
	// It sleeps elsewhere then.
	t.copy.value[stack9::unwind::register_sp]++;
	BOOST_TEST(take_more(one(), t, v.of(1).stamps) == EAGAIN);
	BOOST_TEST(v.of(1).returned == 0u);
}

BOOST_AUTO_TEST_CASE(who_cannot_be_traced_is_refused_in_words,
    *needs("ptrace"))
{
	taken t = take(one(), gettid());
	BOOST_TEST(t.error == EOPNOTSUPP);
	BOOST_TEST(t.rec.reason != nullptr);
	noted v(deed::read);
	const pid_t tid = v.tid();
	const std::uint64_t start = take(one(), tid).rec.thread.start;
	stack9::lead unused;
	stack9::sides s{nullptr, t.rec, t.copy};
	BOOST_TEST(one().copy({tid, tid, start + 1}, s, unused) == ESRCH);
	BOOST_TEST(t.rec.why == STACK9_WHY_REUSED);
	kill(tid, SIGKILL);
	wait_for_state(tid, 'Z');
	const taken dead = take(one(), tid);
	BOOST_TEST(dead.error == ESRCH);
	BOOST_TEST(dead.rec.why == STACK9_WHY_ZOMBIE);
	v.kill_and_reap();
	const taken gone = take(one(), tid);
	BOOST_TEST(gone.error == ESRCH);
	BOOST_TEST(gone.rec.why == STACK9_WHY_GONE);
	if (state_of(2) != 0 && status_number(2, "PPid") == 0) {
		const taken kernel = take(one(), 2);
		BOOST_TEST(kernel.error == EOPNOTSUPP);
		BOOST_TEST(kernel.rec.why == STACK9_WHY_KTHREAD);
	}
}
