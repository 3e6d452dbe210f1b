// Drops events for which there is no slot.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core_calls.h"
#include "puppets.h"
#include "watched.h"

BOOST_AUTO_TEST_SUITE(async_dropped)

namespace {

constexpr std::size_t capacity = 4;
constexpr int most_wakes = 1000;

struct tally {
	std::vector<stack9_id>	ids;
	std::uint64_t		dropped = 0;

	void
	take()
	{
		for (const stack9::arrival &r : stream::take()) {
			BOOST_TEST((r.id != 0 || r.dropped != 0));
			dropped += r.dropped;
			if (r.id != 0)
				ids.push_back(r.id);
		}
	}
};

void
wake_until_more_is_dropped(puppets &p, tally &t)
{
	const std::uint64_t before = t.dropped;
	for (int i = 0; i < most_wakes && t.dropped == before; i++) {
		p.wake();
		t.take();
	}
	BOOST_TEST(t.dropped > before);
}

} // namespace

BOOST_AUTO_TEST_CASE(are_counted, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("dropped: events that were lost because no "
    "slot was free, since the last element"))
{
	apart([] {
		BOOST_TEST(stack9_async_limit(capacity, 0) == 0);
		puppets p;
		watched w({switches, p.pid(), 0, STACK9_BOTH, 5});
		tally t;
		for (int round = 0; round < 3; round++) {
			t.ids.clear();
			wake_until_more_is_dropped(p, t);
			wake_until_more_is_dropped(p, t);
			BOOST_TEST(t.ids.size() == capacity);
			BOOST_TEST(refusal(p.tid()) == ENOBUFS);
			for (const stack9_id id : t.ids)
				BOOST_TEST(core::release(id) == 0);
		}
		w.end();
		p.wake();
		t.take();
		const std::uint64_t last = t.dropped;
		for (int i = 0; i < 20; i++)
			p.wake();
		t.take();
		BOOST_TEST(t.dropped == last);
	});
}

// One drop for each event while nothing is released: none is forgotten.
BOOST_AUTO_TEST_CASE(each_of_them, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("dropped: events that were lost because no "
    "slot was free, since the last element"))
{
	apart([] {
		constexpr std::size_t threads = 12;
		BOOST_TEST(stack9_async_limit(capacity, 0) == 0);
		puppets p(threads);
		watched w({exits, p.pid(), 0, STACK9_BOTH, 5});
		tally t;
		p.end();	// and its leader
		while (t.ids.size() + t.dropped < threads + 1) {
			stream::wait_readable();
			t.take();
		}
		BOOST_TEST(t.ids.size() == capacity);
		BOOST_TEST(t.dropped == threads + 1 - capacity);
	});
}

BOOST_AUTO_TEST_SUITE_END()
