// Tests captures from several threads of ours, and around fork(2).
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

#include <unistd.h>

#include "core/seam/record.h"
#include "pass.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(together)

namespace {

using stacks = std::map<pid_t, std::vector<std::uintptr_t>>;

stacks
stacks_of(const victim &v)
{
	stacks all;
	for (const pid_t tid : v.tids()) {
		user_capture c(v.pid());
		BOOST_REQUIRE(c.save(tid) == 0);
		BOOST_TEST(c.rec.why == STACK9_WHY_NONE);
		all[tid] = {c.pcs, c.pcs + c.rec.depth};
	}
	return all;
}

// The number of captures of sleepers, n of each, that are not as they were.
long
wrong_ones(const victim &v, const stacks &right, stack9_space *in, int n)
{
	long wrong = 0;
	for (int i = 0; i < n; i++)
		for (const auto &[tid, pcs] : right) {
			capture c;
			c.rec.space = in;
			wrong += c.save(stack9_thread{tid, v.pid(), 0},
			    STACK9_USER) != 0 || !std::equal(c.pcs,
			    c.pcs + c.rec.depth, pcs.begin(), pcs.end());
		}
	return wrong;
}

long
wrong_in_passes(const victim &v, const stacks &right, int n)
{
	long wrong = 0;
	for (int i = 0; i < n; i++) {
		const pass p(STACK9_BOTH, v.pid());
		wrong += p.error != 0 || p.disorder() != "";
		for (const auto &[tid, pcs] : right)
			wrong += p.of(tid) == nullptr || p.of(tid)->pcs != pcs;
	}
	return wrong;
}

// 0 in a child that captures as its parent does.
int
child_captures(const victim &v, const stacks &right, stack9_space *in)
{
	return in_child([&] {
		alarm(300);
		stack9_force(nullptr);
		return wrong_ones(v, right, nullptr, 1) == 0 &&
		    wrong_ones(v, right, in, 1) == 0 &&
		    wrong_in_passes(v, right, 1) == 0 ? 0 : 1;
	});
}

} // namespace

BOOST_AUTO_TEST_CASE(two_at_once, *needs("root") * needs("bpf")
    * needs("user-bpf", no_bpf_copies)
    * boost::unit_test::description(
    "two threads of ours capture at once: nothing is mixed"))
{
	const victim v({doing::read, doing::poll, doing::futex, doing::epoll});
	const forced only(and_no_stop(""));
	const stacks right = stacks_of(v);
	const space in = space_of(v.pid());
	const int part = in_guest() ? 4 : 1;
	std::atomic<long> wrong{0};
	std::vector<std::thread> threads;
	for (int i = 0; i < 2; i++) {
		threads.emplace_back([&] {
			wrong += wrong_ones(v, right, in.get(), 500 / part);
		});
		threads.emplace_back([&] {
			wrong += wrong_ones(v, right, nullptr, 200 / part);
		});
		threads.emplace_back([&] {
			wrong += wrong_in_passes(v, right, 200 / part);
		});
	}
	for (std::thread &t : threads)
		t.join();
	BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(two_that_stop_at_once, *needs("ptrace")
    * boost::unit_test::description(
    "two threads of ours stop the same thread at once: one after the other, "
    "or EAGAIN, or EBUSY; never another's stack"))
{
	const int times = rounds(300, in_guest() ? 25 : 80);
	const victim v({doing::read, doing::poll, doing::futex});
	for (const std::string &route : stopping_routes(one_job)) {
		const forced only(route);
		const stacks right = stacks_of(v);
		std::atomic<long> wrong{0}, had{0};
		const auto look = [&] {
			for (int i = 0; i < times; i++)
				for (const auto &[tid, pcs] : right) {
					capture c;
					const int e = c.save(stack9_thread{tid,
					    v.pid(), 0}, STACK9_USER);
					had += e == 0;
					// The first pc may be that of the call
					// itself: it is begun again.
					wrong += e == 0 ? !std::equal(c.pcs + 1,
					    c.pcs + c.rec.depth,
					    pcs.begin() + 1, pcs.end()) :
					    e != EAGAIN && e != EBUSY;
				}
		};
		std::thread a(look), b(look);
		a.join();
		b.join();
		BOOST_TEST(wrong == 0);
		BOOST_TEST(had > times);
	}
	for (const pid_t tid : v.tids())
		wait_for_state(tid, 'S');
}

BOOST_AUTO_TEST_CASE(after_fork, *needs("root") * needs("bpf")
    * boost::unit_test::description(
    "after fork(2) the child captures as its parent does"))
{
	const victim v({doing::read, doing::poll});
	const stacks right = stacks_of(v);
	const space in = space_of(v.pid());
	BOOST_TEST(child_captures(v, right, in.get()) == 0);
	BOOST_TEST(wrong_ones(v, right, in.get(), 1) == 0);
}

BOOST_AUTO_TEST_CASE(fork_in_the_middle, *needs("root") * needs("bpf")
    * boost::unit_test::description(
    "after fork(2) no lock of another thread is left behind"))
{
	const victim v({doing::read, doing::poll});
	const stacks right = stacks_of(v);
	const space in = space_of(v.pid());
	std::atomic<bool> stop{false};
	std::atomic<long> wrong{0};
	std::thread one([&] {
		while (!stop)
			wrong += wrong_ones(v, right, nullptr, 1);
	});
	std::thread all([&] {
		while (!stop)
			wrong += wrong_in_passes(v, right, 1);
	});
	int good = 0;
	const int times = rounds(50, in_guest() ? 5 : 15);
	for (int i = 0; i < times; i++)
		good += child_captures(v, right, in.get()) == 0;
	stop = true;
	one.join();
	all.join();
	BOOST_TEST(good == times);
	BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(fork_from_within, *needs("root") * needs("bpf")
    * boost::unit_test::description("fn may make any call of these"))
{
	const victim v({doing::read, doing::poll});
	const stacks right = stacks_of(v);
	int children = 0, good = 0;
	for (const std::string &route : routes_of(many_job)) {
		const forced only(route);
		const pass p(STACK9_BOTH, v.pid(),
		    [&](const stack9::stack_record &rec) {
			    children++;
			    good += child_captures(v, right, rec.space) == 0;
			    return 0;
		    });
		BOOST_TEST(p.disorder() == "");
	}
	BOOST_TEST(children > 0);
	BOOST_TEST(good == children);
}

BOOST_AUTO_TEST_SUITE_END()
