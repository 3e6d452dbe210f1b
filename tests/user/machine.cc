// Tests passes that include ourselves: over our own process, over the machine.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <thread>

#include <unistd.h>

#include "pass.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(among_others)

namespace {

// A spinner that waits for a CPU for 0.1 s cannot answer a signal.  Then the
// pass is made again.
pass
pass_with_answer(stack9_side side, pid_t spinner)
{
	for (int tries = 1;; tries++) {
		pass p(side, getpid());
		BOOST_TEST(p.error == 0);
		BOOST_TEST(p.disorder() == "");
		const kept *const k = p.of(spinner);
		if (k == nullptr || k->rec.error != EAGAIN ||
		    k->rec.why != STACK9_WHY_SILENT || tries == 100)
			return p;
	}
}

} // namespace

BOOST_AUTO_TEST_CASE(our_own_process, *needs("ptrace")
    * boost::unit_test::description(
    "stack9_each(): every thread of process pid, the caller's own too"))
{
	std::atomic<bool> stop{false};
	std::atomic<pid_t> spins{0}, sleeps{0};
	std::thread spinner([&] {
		spins = gettid();
		while (!stop)
			;
	});
	std::thread sleeper([&] {
		sleeps = gettid();
		stop.wait(false);
	});
	while (spins == 0 || sleeps == 0)
		;
	wait_for_state(sleeps, 'S');
	for (const stack9_side side : {STACK9_USER, STACK9_BOTH}) {
		const pass p = pass_with_answer(side, spins);
		for (const pid_t tid : {gettid(), spins.load(),
		    sleeps.load()}) {
			BOOST_REQUIRE(p.of(tid) != nullptr);
			BOOST_TEST(p.of(tid)->rec.error == 0,
			    stack9_why_text(p.of(tid)->rec.why));
		}
	}
	stop = true;
	stop.notify_all();
	spinner.join();
	sleeper.join();
}

BOOST_AUTO_TEST_CASE(the_machine, *needs("root")
    * boost::unit_test::description("or of the machine (pid 0)"))
{
	const victim v({doing::read, doing::poll, doing::spin_user});
	for (const std::string &route : no_stop_routes(many_job)) {
		const forced only(and_no_stop("") + "," + route);
		const pass p(STACK9_BOTH, 0);
		BOOST_TEST(p.error == 0);
		BOOST_TEST(p.disorder() == "");
		for (const pid_t tid : v.tids())
			BOOST_TEST(p.of(tid) != nullptr);
		BOOST_REQUIRE(p.of(gettid()) != nullptr);
		BOOST_TEST(p.of(gettid())->rec.error == 0);
		for (const kept &k : p.all) {
			const int e = k.rec.error;
			BOOST_TEST((e == 0 || e == EAGAIN || e == ESRCH ||
			    (e == EOPNOTSUPP && k.rec.side == STACK9_USER &&
			    k.rec.why == STACK9_WHY_KTHREAD)),
			    k.rec.comm << " by " << (k.rec.route == nullptr ?
			    "none" : k.rec.route) << ": error " << e << ": " <<
			    stack9_why_text(k.rec.why));
		}
	}
}

BOOST_AUTO_TEST_SUITE_END()
