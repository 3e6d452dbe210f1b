// Tests the stream of what is ready, and its descriptor.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <set>

#include <sys/epoll.h>
#include <unistd.h>

#include "core_calls.h"
#include "puppets.h"

BOOST_AUTO_TEST_SUITE(async_stream)

BOOST_AUTO_TEST_CASE(readable_while_there_is_something, *needs("bpf")
    * needs_task_work() * boost::unit_test::description("A descriptor that can "
    "be read, as poll(2) and epoll(7) say, while stack9_async_next() may have "
    "an element"))
{
	puppets p;
	stream::take();
	BOOST_TEST(!stream::readable());
	const submission one(p.tid()), two(p.tid());
	BOOST_TEST(!stream::readable());
	p.wake();
	stream::wait_readable();
	const int e = epoll_create1(EPOLL_CLOEXEC);
	epoll_event seen{};
	epoll_event wanted{};
	wanted.events = EPOLLIN;
	BOOST_TEST(epoll_ctl(e, EPOLL_CTL_ADD, stream::fd(), &wanted) == 0);
	BOOST_TEST(epoll_wait(e, &seen, 1, 0) == 1);
	stream::take_until(one.id);
	BOOST_TEST(collect_over(two.id) == 0);
	stream::take();
	BOOST_TEST(!stream::readable());
	BOOST_TEST(epoll_wait(e, &seen, 1, 0) == 0);
	close(e);
}

BOOST_AUTO_TEST_CASE(one_descriptor, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("A process has one stream"))
{
	BOOST_TEST(stream::fd() == stream::fd());
	BOOST_TEST(stream::fd() >= 0);
}

BOOST_AUTO_TEST_CASE(arguments, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "Returns 0: at least one element; EAGAIN: no element is ready at the "
    "moment; EINVAL"))
{
	stack9::arrival one{};
	std::size_t count = 0;
	stream::take();
	BOOST_TEST(core::ready(&one, 1, &count) == EAGAIN);
	BOOST_TEST(core::ready(nullptr, 1, &count) == EINVAL);
	BOOST_TEST(core::ready(&one, 0, &count) == EINVAL);
	BOOST_TEST(core::ready(&one, 1, nullptr) == EINVAL);
	BOOST_TEST(core::ready_fd(nullptr) == EINVAL);
}

BOOST_AUTO_TEST_CASE(in_order, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("in the order in which they became ready; "
    "a cookie of 0"))
{
	puppets p(4);
	const submission s[] = {submission(p.tid(0)), submission(p.tid(1)),
	    submission(p.tid(2)), submission(p.tid(3))};
	stream::take();
	for (const std::size_t at_a_time : {std::size_t{1}, std::size_t{3}}) {
		std::deque<submission> more;
		std::vector<stack9_id> expected;
		for (const std::size_t i : {2u, 0u, 3u, 1u}) {
			const stack9_id id = at_a_time == 1 ? s[i].id :
			    more.emplace_back(p.tid(i)).id;
			p.wake(i);
			BOOST_TEST(collect_over(id) == 0);
			expected.push_back(id);
		}
		std::vector<stack9_id> came;
		for (const stack9::arrival &r : stream::take(at_a_time)) {
			came.push_back(r.id);
			BOOST_TEST(r.cookie == 0u);
			BOOST_TEST(r.dropped == 0u);
		}
		BOOST_TEST(came == expected, boost::test_tools::per_element());
	}
}

BOOST_AUTO_TEST_CASE(each_once, *needs("bpf") * needs_task_work()
    * boost::unit_test::description(
    "each id once, unless it is released before"))
{
	puppets p;
	stream::take();
	for (const std::size_t at_a_time : {1, 7, 1000}) {
		std::deque<submission> held;
		std::multiset<stack9_id> ids, came;
		for (int i = 0; i < 300; i++)
			ids.insert(held.emplace_back(p.tid()).id);
		p.wake();
		for (const stack9_id id : ids)
			BOOST_TEST(collect_over(id) == 0);
		BOOST_TEST(core::release(held.front().id) == 0);
		ids.erase(held.front().id);
		for (const stack9::arrival &r : stream::take(at_a_time))
			came.insert(r.id);
		BOOST_TEST(came == ids);
		BOOST_TEST(stream::take().empty());
	}
}

BOOST_AUTO_TEST_SUITE_END()
