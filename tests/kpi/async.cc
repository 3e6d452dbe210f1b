// Tests stack9_async(3) by route "retry", on scripted threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core_calls.h"
#include "users.h"

using boost::unit_test::description;
using fake::mode;

namespace {

constexpr std::uint32_t captures = 4;

struct limited : two_threads {
	limited() { stack9::async_limit(captures, 0); }
};

// Both sides of one id.
struct collected {
	explicit collected(stack9_id id, std::uint32_t max = 64)
	{
		kernel.pcs = room[0];
		user.pcs = room[1];
		kernel.max = user.max = max;
		error = core::collect(id, &kernel, &user);
	}
	static words
	frames(const stack9::stack_record &r)
	{
		return {r.pcs, r.pcs + r.depth};
	}

	std::uintptr_t	room[2][64];
	stack9::stack_record	kernel{}, user{};
	int		error;
};

stack9_id
submit(stack9_side side = STACK9_BOTH, const stack9_thread &td = thread)
{
	stack9_id id = 0;
	BOOST_TEST(core::submit(&td, side, 0, &id) == 0);
	BOOST_TEST(id != 0u);
	return id;
}

struct held {
	explicit held(stack9_side side = STACK9_BOTH) : id(submit(side)) {}
	held(const held &) = delete;
	~held() { core::release(id); }
	operator stack9_id() const { return id; }
	const stack9_id id;
};

std::vector<stack9_id>
told()
{
	stack9::arrival all[2 * captures];
	std::size_t n = 0;
	std::vector<stack9_id> ids;
	if (core::ready(all, std::size(all), &n) == 0)
		for (std::size_t i = 0; i < n; i++)
			ids.push_back(all[i].id);
	return ids;
}

bool
is_readable(int wait_ms)
{
	int fd = -1;
	BOOST_REQUIRE(core::ready_fd(&fd) == 0);
	pollfd p{fd, POLLIN, 0};
	return poll(&p, 1, wait_ms) == 1;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(retry, limited)

BOOST_AUTO_TEST_CASE(sleeping, *description(
    "a thread that can be read is over when it is submitted"))
{
	const held id;
	const collected c(id);
	BOOST_TEST(c.error == 0);
	BOOST_TEST(collected::frames(c.kernel) == kernel_pcs);
	BOOST_TEST(collected::frames(c.user) == user_pcs);
	BOOST_TEST(c.user.thread.tid == thread.tid);
	BOOST_TEST(is_readable(-1));
	BOOST_TEST((told() == std::vector<stack9_id>{id}));
	BOOST_TEST(!is_readable(0));
	BOOST_TEST(told().empty());
}

BOOST_AUTO_TEST_CASE(again, *description(
    "else it is tried again at each stack9_async_collect() and "
    "stack9_async_next()"))
{
	fake::now.users[10].doing = mode::torn;
	fake::now.users[10].tries = 1000;
	const held id;
	const collected before(id);
	BOOST_TEST(before.error == EAGAIN);
	BOOST_TEST(collected::frames(before.kernel) == kernel_pcs);
	BOOST_TEST(before.user.depth == 0u);
	BOOST_TEST(is_readable(-1));	// the timer's
	BOOST_TEST(told().empty());
	fake::now.users[10].doing = mode::sleeping;
	BOOST_TEST((told() == std::vector<stack9_id>{id}));
	BOOST_TEST(collected(id).error == 0);
}

BOOST_AUTO_TEST_CASE(nobody_is_stopped, *description(
    "captured if that can be done without stopping anybody"))
{
	fake::now.user_first = {EOPNOTSUPP, "not here"};
	{
		const held id;
		BOOST_TEST(collected(id).user.route == "fake-user-second");
	}
	fake::now.second_stops = true;
	stack9_id id = 0;
	BOOST_TEST(core::submit(&thread, STACK9_USER, 0, &id) == EOPNOTSUPP);
	BOOST_TEST(id == 0u);
	const held with_kernel;
	const collected c(with_kernel);
	BOOST_TEST(c.error == 0);
	BOOST_TEST(c.kernel.error == 0);
	BOOST_TEST(c.user.error == EOPNOTSUPP);
}

BOOST_AUTO_TEST_CASE(ids, *description(
    "ENOBUFS: all slots are in use; an id is never given out twice"))
{
	std::vector<stack9_id> all;
	for (std::uint32_t i = 0; i < captures; i++)
		all.push_back(submit());
	stack9_id none = 0;
	BOOST_TEST(core::submit(&thread, STACK9_BOTH, 0, &none) == ENOBUFS);
	BOOST_TEST(none == 0u);
	BOOST_TEST((told() == all), "in the order in which they were over");
	BOOST_TEST(core::release(all[1]) == 0);
	const stack9_id another = submit();
	for (const stack9_id id : all)
		BOOST_TEST(id != another);
	BOOST_TEST(collected(all[1]).error == ENOENT);
	BOOST_TEST(core::cancel(all[1]) == ENOENT);
	BOOST_TEST(core::release(all[1]) == ENOENT);
	all[1] = another;
	for (const stack9_id id : all)
		BOOST_TEST(core::release(id) == 0);
}

BOOST_AUTO_TEST_CASE(cancelled, *description(
    "ECANCELED: by stack9_async_cancel(); EALREADY: it was over before"))
{
	fake::now.users[10].doing = mode::torn;
	fake::now.users[10].tries = 1000;
	const held id;
	BOOST_TEST(core::cancel(id) == 0);
	BOOST_TEST(core::cancel(id) == EALREADY);
	BOOST_TEST(collected(id).error == ECANCELED);
	BOOST_TEST((told() == std::vector<stack9_id>{id}));
	fake::now.users[10].doing = mode::sleeping;
	BOOST_TEST(collected(id).error == ECANCELED);
}

BOOST_AUTO_TEST_CASE(ended, *description("ESRCH: the thread has ended"))
{
	fake::now.users[10].doing = mode::torn;
	fake::now.users[10].tries = 1000;
	const held id;
	fake::now.users.erase(10);
	const collected c(id);
	BOOST_TEST(c.error == ESRCH);
	BOOST_TEST(collected::frames(c.kernel) == kernel_pcs);
	BOOST_TEST(c.user.depth == 0u);
	stack9_id none = 0;
	fake::now.threads.erase(10);
	BOOST_TEST(core::submit(&thread, STACK9_BOTH, 0, &none) == ESRCH);
}

BOOST_AUTO_TEST_CASE(one_side, *description(
    "EINVAL: that side was not asked for"))
{
	const held user(STACK9_USER);
	const collected u(user);
	BOOST_TEST(u.error == 0);
	BOOST_TEST(u.kernel.error == EINVAL);
	BOOST_TEST(collected::frames(u.user) == user_pcs);
	const held kernel(STACK9_KERNEL);
	const collected k(kernel);
	BOOST_TEST(k.error == 0);
	BOOST_TEST(k.user.error == EINVAL);
	BOOST_TEST(collected::frames(k.kernel) == kernel_pcs);
}

BOOST_AUTO_TEST_CASE(little_room, *description(
    "dropped: frames known to be missing outside"))
{
	const held id;
	const collected c(id, 1);
	BOOST_TEST(c.user.depth == 1u);
	BOOST_TEST(c.user.dropped == 2u);
	BOOST_TEST(c.user.why == STACK9_WHY_TRUNCATED);
	BOOST_TEST(c.kernel.dropped == 1u);
}

BOOST_AUTO_TEST_CASE(arguments, *description("EINVAL: an argument is wrong"))
{
	stack9_id id = 0;
	const stack9_thread nobody{0, other, 0};
	const auto no_side = static_cast<stack9_side>(0);
	BOOST_TEST(core::submit(nullptr, STACK9_BOTH, 0, &id) == EINVAL);
	BOOST_TEST(core::submit(&nobody, STACK9_BOTH, 0, &id) == EINVAL);
	BOOST_TEST(core::submit(&thread, no_side, 0, &id) == EINVAL);
	BOOST_TEST(core::submit(&thread, STACK9_BOTH, 2, &id) == EINVAL);
	BOOST_TEST(core::submit(&thread, STACK9_BOTH, 0, nullptr) == EINVAL);
	BOOST_TEST(id == 0u);
	const held some;
	stack9::stack_record no_room{};
	BOOST_TEST(core::collect(0, nullptr, nullptr) == EINVAL);
	BOOST_TEST(core::collect(some, &no_room, nullptr) == EINVAL);
	BOOST_TEST(core::collect(some, nullptr, &no_room) == EINVAL);
	BOOST_TEST(core::collect(some, nullptr, nullptr) == 0);
	stack9::arrival one;
	std::size_t n;
	BOOST_TEST(core::ready(nullptr, 1, &n) == EINVAL);
	BOOST_TEST(core::ready(&one, 0, &n) == EINVAL);
	BOOST_TEST(core::ready(&one, 1, nullptr) == EINVAL);
	BOOST_TEST(core::ready_fd(nullptr) == EINVAL);
	BOOST_TEST(stack9::async_limit(0, 0) == EINVAL);
	BOOST_TEST(stack9::async_limit(1, 0) == EBUSY);
	stack9::submitter *w = nullptr;
	const stack9::async_event event{"profile:hz:99", 0, 0, STACK9_BOTH, 0};
	BOOST_TEST(core::submit_on(nullptr, &w) == EINVAL);
	BOOST_TEST(core::submit_on(&event, nullptr) == EINVAL);
	BOOST_TEST(core::submit_on(&event, &w) == EOPNOTSUPP);
	core::submit_off(nullptr);
}

BOOST_AUTO_TEST_CASE(child, *description(
    "a forked child has none of its parent's submissions"))
{
	const held id;
	const pid_t pid = fork();
	if (pid == 0) {
		stack9_id own = 0;
		const bool right = core::release(id) == ENOENT &&
		    core::submit(&thread, STACK9_BOTH, 0, &own) == 0 &&
		    own != id && core::release(id) == ENOENT &&
		    core::release(own) == 0;
		_exit(right ? 0 : 1);
	}
	int status = -1;
	BOOST_TEST(waitpid(pid, &status, 0) == pid);
	BOOST_TEST(status == 0);
	BOOST_TEST(collected(id).error == 0);
}

BOOST_AUTO_TEST_SUITE_END()
