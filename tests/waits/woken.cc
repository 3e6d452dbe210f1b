// Looks at a thread that was woken when its sample was captured, and runs now.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <memory>
#include <thread>

#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "check.h"
#include "lib/queued.h"
#include "require.h"
#include "victim.h"

using boost::unit_test::description;

namespace {

using owned_sample = std::unique_ptr<stack9_sample,
    decltype(&stack9_sample_close)>;

// Sleeps until it is woken, and then never stops.
class sleeper {
public:
	sleeper()
	{
		wait_until([&] {
			return tid_ != 0 && state_of(tid_) == 'S' &&
			    !is_queued(tid_);
		});
	}
	~sleeper()
	{
		end_ = true;
		wake();
		thread_.join();
	}
	sleeper(const sleeper &) = delete;
	sleeper &operator=(const sleeper &) = delete;

	pid_t	tid() const { return tid_; }
	void
	wake()
	{
		word_ = 1;
		word_.notify_one();
	}
	bool	runs() const { return runs_; }

private:
	void
	run()
	{
		tid_ = gettid();
		word_.wait(0);
		for (runs_ = true; !end_;)
			;
	}

	std::atomic<pid_t>	tid_{0};
	std::atomic<int>	word_{0};
	std::atomic<bool>	runs_{false}, end_{false};
	std::thread		thread_{[this] { run(); }};
};

owned_sample
capture(pid_t tid)
{
	const stack9_thread td{tid, getpid(), 0};
	stack9_sample *s = nullptr;
	BOOST_REQUIRE_EQUAL(stack9_save(&td, STACK9_BOTH, nullptr, &s), 0);
	BOOST_REQUIRE(s->kernel->depth != 0u);
	return {s, stack9_sample_close};
}

found
wait_of(const stack9_sample &s)
{
	const stack9_sample *const one = &s;
	all_found all;
	BOOST_REQUIRE_EQUAL(stack9_waits(&one, 1, 0, add_wait, &all), 0);
	return all[s.thread.tid];
}

} // namespace

BOOST_AUTO_TEST_SUITE(woken)

// Its switches are counted when it stops.  A thread that was woken and does not
// run yet is rare, so the sample of a sleeping one is given the state of one.
BOOST_AUTO_TEST_CASE(it_has_come_onto_a_cpu, *needs("bpf") * description(
    "STACK9_WAIT_MOVED: the thread has run since its sample was captured"))
{
	constexpr int tries = 1000;
	for (int i = 0; i < tries; i++) {
		sleeper of;
		const owned_sample s = capture(of.tid());
		stack9_sample woken = *s;
		woken.state = 'R';
		of.wake();
		wait_until([&] { return of.runs(); });
		const found f = wait_of(woken);
		if (switches_in_proc(of.tid()) != woken.switches)
			continue;	// these say it, too
		BOOST_TEST(f.kind == STACK9_WAIT_NONE);
		BOOST_TEST((f.flags & STACK9_WAIT_MOVED) != 0u);
		return;
	}
	BOOST_ERROR("it was switched away " << tries << " times");
}

BOOST_AUTO_TEST_SUITE_END()
