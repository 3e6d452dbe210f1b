// Tests that the signal is never one that the program uses.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstring>

#include <signal.h>

#include "harness.h"

namespace {

// Puts it back to the default.
struct used_signal {
	explicit used_signal(int n) : signo(n)
	{
		struct sigaction s{};
		s.sa_handler = [](int) {};
		sigaction(signo, &s, &old);
	}
	~used_signal() { sigaction(signo, &old, nullptr); }

	int			 signo;
	struct sigaction	 old;
};

} // namespace

BOOST_AUTO_TEST_CASE(set_signal_takes_real_time_signals_that_are_free)
{
	BOOST_TEST(stack9_set_signal(0) == EINVAL);
	BOOST_TEST(stack9_set_signal(SIGUSR1) == EINVAL);
	BOOST_TEST(stack9_set_signal(SIGRTMAX + 1) == EINVAL);
	used_signal used(SIGRTMIN + 3);
	BOOST_TEST(stack9_set_signal(SIGRTMIN + 3) == EBUSY);
	BOOST_TEST(stack9_set_signal(SIGRTMIN + 4) == 0);
	if (signals_arrive) {
		victim v(lean::obey, deed::spin);
		capture c;
		int error;
		do
			error = c.save(route_named("signal"), v.thread());
		while (error == EAGAIN);
		BOOST_TEST(error == 0);
	}
	BOOST_TEST(stack9_set_signal(SIGRTMAX - 1) == 0);
}

BOOST_AUTO_TEST_CASE(no_handler_is_installed_before_the_first_capture)
{
	BOOST_TEST(stack9_set_signal(SIGRTMIN + 5) == 0);
	route_named("signal").can();
	struct sigaction now;
	sigaction(SIGRTMIN + 5, nullptr, &now);
	BOOST_TEST((now.sa_handler == SIG_DFL));
	BOOST_TEST(stack9_set_signal(SIGRTMAX - 1) == 0);
}

BOOST_AUTO_TEST_CASE(a_signal_of_the_programs_is_left_alone_and_named)
{
	BOOST_TEST(stack9_set_signal(SIGRTMIN + 6) == 0);
	{
		used_signal used(SIGRTMIN + 6);
		const stack9::verdict no = route_named("signal").can();
		BOOST_TEST(no.error == EOPNOTSUPP);
		BOOST_TEST(std::strstr(no.reason, "stack9_set_signal()") !=
		    nullptr);
		victim v(lean::obey, deed::spin);
		capture c;
		BOOST_TEST(c.save(route_named("signal"), v.thread()) ==
		    EOPNOTSUPP);
		BOOST_TEST(c.rec.why == STACK9_WHY_MACHINE);
	}
	BOOST_TEST(route_named("signal").can().error == 0);
	BOOST_TEST(stack9_set_signal(SIGRTMAX - 1) == 0);
}
