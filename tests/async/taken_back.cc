// Tests submissions that are cancelled or released before they end, and after.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "core_calls.h"
#include "puppets.h"

BOOST_AUTO_TEST_SUITE(async_taken_back)

namespace {

void
is_unknown(answer &a, stack9_id id)
{
	BOOST_TEST(a.collect(id) == ENOENT);
	BOOST_TEST(core::collect(id, nullptr, nullptr) == ENOENT);
	BOOST_TEST(core::cancel(id) == ENOENT);
	BOOST_TEST(core::release(id) == ENOENT);
}

bool
holds(const std::vector<stack9::arrival> &all, stack9_id id)
{
	return std::any_of(all.begin(), all.end(),
	    [=](const stack9::arrival &r) { return r.id == id; });
}

} // namespace

BOOST_AUTO_TEST_CASE(cancelled, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("stack9_async_collect() returns ECANCELED "
    "from then on.  The id has still to be released.  Returns 0; EALREADY; "
    "ENOENT"))
{
	puppets p;
	answer a(p.pid());
	const submission s(p.tid());
	BOOST_TEST(core::cancel(s.id) == 0);
	BOOST_TEST(a.collect(s.id) == ECANCELED);
	BOOST_TEST(core::cancel(s.id) == EALREADY);
	p.wake();
	BOOST_TEST(p.returned() == 1u);
	BOOST_TEST(a.collect(s.id) == ECANCELED);
	BOOST_TEST(a.user.rec.depth == 0u);
	BOOST_TEST(core::release(s.id) == 0);
	is_unknown(a, s.id);
}

BOOST_AUTO_TEST_CASE(cancelled_too_late, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("EALREADY: it was over before"))
{
	puppets p;
	answer a(p.pid());
	const submission s(p.tid()), kernel(p.tid(), STACK9_KERNEL);
	p.wake();
	BOOST_TEST(a.outcome(s.id) == 0);
	BOOST_TEST(core::cancel(s.id) == EALREADY);
	BOOST_TEST(a.collect(s.id) == 0);
	BOOST_TEST(a.fault({"read", "obey"}) == "");
	BOOST_TEST(core::cancel(kernel.id) == EALREADY);
	BOOST_TEST(a.collect(kernel.id) == 0);
}

BOOST_AUTO_TEST_CASE(cancelled_among_others, *needs("bpf")
    * needs_task_work() * boost::unit_test::description("Cancels a submission"))
{
	puppets p;
	answer a(p.pid());
	std::deque<submission> all;
	for (int i = 0; i < 20; i++)
		all.emplace_back(p.tid());
	for (std::size_t i = 0; i < all.size(); i += 2)
		BOOST_TEST(core::cancel(all[i].id) == 0);
	p.wake();
	for (std::size_t i = 0; i < all.size(); i++) {
		BOOST_TEST(collect_over(all[i].id) ==
		    (i % 2 == 0 ? ECANCELED : 0));
		if (i % 2 != 0 && a.collect(all[i].id) == 0)
			BOOST_TEST(a.fault({"read", "obey"}) == "");
	}
}

BOOST_AUTO_TEST_CASE(released, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("Releases the id and its memory, in any "
    "state of the submission.  Returns 0; ENOENT"))
{
	puppets p;
	answer a(p.pid());
	const submission waits(p.tid()), other(p.tid()), over(p.tid(),
	    STACK9_KERNEL);
	BOOST_TEST(core::release(waits.id) == 0);
	BOOST_TEST(core::release(over.id) == 0);
	is_unknown(a, waits.id);
	is_unknown(a, over.id);
	p.wake();
	const auto came = stream::take_until(other.id);
	BOOST_TEST(!holds(came, waits.id));
	BOOST_TEST(a.collect(other.id) == 0);
	BOOST_TEST(core::release(other.id) == 0);
	is_unknown(a, other.id);
	is_unknown(a, waits.id);
}

// More often than there is room, so that none may be lost; while the thread is
// asleep, and while it is about to write.
BOOST_AUTO_TEST_CASE(again_and_again, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("Releases the id and its memory, in any "
    "state of the submission"))
{
	puppets p(2);
	p.run(puppets::call, 1);
	for (int i = 0; i < 20000; i++) {
		const submission s(p.tid(static_cast<std::size_t>(i) % 2));
		if (i % 3 == 0)
			continue;
		const int error = core::cancel(s.id);
		BOOST_REQUIRE((error == 0 || error == EALREADY));
		if (i % 2 == 0)
			BOOST_REQUIRE_EQUAL(error, 0);
		BOOST_REQUIRE_EQUAL(core::collect(s.id, nullptr, nullptr),
		    error == 0 ? ECANCELED : 0);
	}
	p.go_on(1);
	p.settle(1);
	p.wake(0);
	BOOST_TEST(p.returned(0) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
