// Tests that a sibling which is captured notices nothing of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cerrno>
#include <ctime>
#include <string>
#include <thread>

#include <boost/test/unit_test.hpp>
#include <stack9.h>
#include <stack9_settings.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "child.h"
#include "require.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(siblings)

namespace {

// Works and waits by turns, in calls that no signal restarts.
class waiting_thread {
public:
	waiting_thread()
	{
		thread_ = std::thread([this] { run(); });
		while (tid_ == 0)
			sched_yield();
	}
	~waiting_thread()
	{
		ends_ = true;
		thread_.join();
	}
	waiting_thread(const waiting_thread &) = delete;
	waiting_thread &operator=(const waiting_thread &) = delete;

	stack9_thread
	thread() const
	{
		stack9_thread td;
		BOOST_REQUIRE_EQUAL(stack9_thread_find(tid_, &td), 0);
		return td;
	}
	int	ended() const { return ended_; }
	int	loops() const { return loops_; }

private:
	void
	work() const
	{
		for (int i = 0; i < 20000; i++)
			asm volatile("");
	}
	void
	run()
	{
		const int epoll = epoll_create1(0);
		tid_ = gettid();
		while (!ends_) {
			epoll_event e;
			const timespec t{0, 200'000};
			work();
			ended_ += epoll_wait(epoll, &e, 1, 1) < 0;
			work();
			ended_ += nanosleep(&t, nullptr) != 0;
			loops_++;
		}
		close(epoll);
	}

	std::atomic<pid_t>	tid_{0};
	std::atomic<bool>	ends_{false};
	std::atomic<int>	ended_{0}, loops_{0};
	std::thread		thread_;
};

struct routes_back {
	~routes_back() { stack9_force(""); }
};

// A thread that never enters the kernel.
struct spinner {
	std::atomic<pid_t>	tid{0};
	std::atomic<bool>	ends{false};
	std::thread		thread{[this] {
		tid = gettid();
		while (!ends)
			asm volatile("");
	}};

	~spinner()
	{
		ends = true;
		thread.join();
	}
	stack9_thread
	td() const
	{
		while (tid == 0)
			sched_yield();
		stack9_thread found;
		BOOST_REQUIRE_EQUAL(stack9_thread_find(tid, &found), 0);
		return found;
	}
};

} // namespace

BOOST_AUTO_TEST_CASE(calls_that_are_not_restarted, *needs("bpf") * description(
    "the system calls of a sibling go on"))
{
	waiting_thread t;
	const stack9_thread td = t.thread();
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = STACK9_SAVE_NO_STOP;
	int good = 0;
	while (t.loops() < 500) {
		stack9_sample *s;
		good += stack9_save(&td, STACK9_USER, &o, &s) == 0;
		stack9_sample_close(s);
	}
	BOOST_TEST(good > 500);
	BOOST_TEST(t.ended() == 0);
}

BOOST_AUTO_TEST_CASE(no_signal_with_no_stop, *description(
    "STACK9_SAVE_NO_STOP: a sibling is not sent a signal"))
{
	const routes_back restore;
	const spinner spins;
	const stack9_thread td = spins.td();
	stack9_save_options o{};
	o.size = sizeof o;
	BOOST_REQUIRE_EQUAL(stack9_force("registers,signal"), 0);
	stack9_sample *s;
	BOOST_TEST(stack9_save(&td, STACK9_USER, &o, &s) == 0);
	BOOST_TEST(s->user->route == std::string("signal"));
	stack9_sample_close(s);
	o.flags = STACK9_SAVE_NO_STOP;
	BOOST_TEST(stack9_save(&td, STACK9_USER, &o, &s) == EAGAIN);
	BOOST_TEST(s->user->why == STACK9_WHY_ON_CPU);
	BOOST_TEST(stack9_reason() == std::string("it is on a CPU, and only a "
	    "signal could ask it"));
	stack9_sample_close(s);
}

BOOST_AUTO_TEST_CASE(one_that_runs, *needs("bpf") * description(
    "STACK9_SAVE_NO_STOP: a sibling on a CPU is captured by the routes for "
    "other processes"))
{
	const spinner spins;
	const stack9_thread td = spins.td();
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = STACK9_SAVE_NO_STOP;
	o.timeout_ms = 10000;
	stack9_sample *s;
	BOOST_TEST(stack9_save(&td, STACK9_USER, &o, &s) == 0,
	    stack9_reason());
	const api::sample kept(s);
	BOOST_TEST(s->user->route != std::string("signal"));
	BOOST_TEST(s->user->space == nullptr);
	BOOST_TEST(s->user->why == STACK9_WHY_NONE);
}

BOOST_AUTO_TEST_SUITE_END()
