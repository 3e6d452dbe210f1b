// Tests that a submission that is under way belongs to one process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <unistd.h>

#include "core_calls.h"
#include "puppets.h"

BOOST_AUTO_TEST_SUITE(async_forked)

BOOST_AUTO_TEST_CASE(a_child_has_none_of_it, *needs("bpf")
    * needs_task_work()
    * boost::unit_test::description("a forked child has none of its parent's "
    "submissions"))
{
	puppets p(2);
	stream::take();
	const submission over(p.tid(0)), waits(p.tid(1));
	p.wake(0);
	BOOST_TEST(collect_over(over.id) == 0);
	apart([&] {
		for (const stack9_id id : {over.id, waits.id}) {
			BOOST_TEST(core::collect(id, nullptr, nullptr) ==
			    ENOENT);
			BOOST_TEST(core::cancel(id) == ENOENT);
			BOOST_TEST(core::release(id) == ENOENT);
		}
		BOOST_TEST(stream::take().empty());
		const submission own(p.tid(0));
		answer a(p.pid());
		p.wake(0);
		BOOST_TEST(a.outcome(own.id) == 0);
		BOOST_TEST(a.fault({"read", "obey"}) == "");
	});
	answer a(p.pid());
	BOOST_TEST(a.outcome(over.id) == 0);
	BOOST_TEST(a.fault({"read", "obey"}) == "");
	BOOST_TEST(a.collect(waits.id) == EAGAIN);
	p.wake(1);
	BOOST_TEST(a.outcome(waits.id) == 0);
}

BOOST_AUTO_TEST_CASE(its_end_ends_it, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("and they end when the process ends"))
{
	puppets p;
	apart([&] {
		for (int i = 0; i < 100; i++)
			(void)new submission(p.tid());	// not released
		BOOST_TEST(p.returned() == 0u);
	});
	const submission s(p.tid());
	p.wake();
	BOOST_TEST(p.returned() == 1u);
	answer a(p.pid());
	BOOST_TEST(a.outcome(s.id) == 0);
	BOOST_TEST(a.fault({"read", "obey"}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
