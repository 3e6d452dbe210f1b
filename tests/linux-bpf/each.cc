// Tests passes over a process and over the machine.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <climits>
#include <set>

#include <unistd.h>

#include "core_calls.h"
#include "require.h"
#include "kernel_capture.h"

BOOST_AUTO_TEST_SUITE(each)

namespace {

struct seen {
	std::multiset<pid_t>	tids;
	std::set<pid_t>		pids;
	int			kept = 0, errors_with_frames = 0;
	int			stop_after = INT_MAX;
};

int
note(void *arg, const stack9::stack_record *rec)
{
	seen &s = *static_cast<seen *>(arg);
	s.tids.insert(rec->thread.tid);
	s.pids.insert(rec->thread.pid);
	if ((rec->error == 0) != (rec->depth > 0))
		s.errors_with_frames++;
	return --s.stop_after == 0 ? 42 : 0;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_machine_includes_everybody, *needs("bpf")
    * boost::unit_test::description("or of the machine (pid 0)"))
{
	const victim v({doing::read, doing::poll});
	seen s;
	BOOST_REQUIRE_EQUAL(core::each(STACK9_KERNEL, 0, note, &s), 0);
	BOOST_TEST(s.tids.count(gettid()) == 1u);
	for (const pid_t tid : v.tids())
		BOOST_TEST(s.tids.count(tid) == 1u);
}

BOOST_AUTO_TEST_CASE(fn_may_capture_and_name, *needs("bpf")
    * boost::unit_test::description("fn may make any call of these"))
{
	const victim v({doing::read, doing::poll});
	int good = 0;
	BOOST_REQUIRE_EQUAL(core::each(STACK9_KERNEL, v.pid(),
	    [](void *arg, const stack9::stack_record *rec) {
		    capture c;
		    if (c.save(rec->thread) == 0 && named(c.rec) ==
			named(*rec))
			    ++*static_cast<int *>(arg);
		    return 0;
	    }, &good), 0);
	BOOST_TEST(good == 2);
}

BOOST_AUTO_TEST_SUITE_END()
