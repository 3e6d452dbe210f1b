// Tests stack9(3): user stacks of other processes, from route to route, on
// copies of scripted threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <cstring>

#include "core_calls.h"
#include "users.h"

using boost::unit_test::description;
using fake::mode;

namespace {

words
count_up(std::size_t n, std::uintptr_t from = 0x400000)
{
	words v(n);
	for (std::size_t i = 0; i < n; i++)
		v[i] = from + i;
	return v;
}

struct taken {
	explicit taken(std::uint32_t max = 64)
	{
		std::memset(&rec, 0xa5, sizeof rec);
		rec.pcs = room;
		rec.max = max;
		rec.text = nullptr;
		rec.text_size = 0;
		rec.space = nullptr;
		rec.written = nullptr;
		rec.taker = nullptr;
	}
	int
	save(const stack9_thread &td = thread)
	{
		const int error = core::save(STACK9_USER, &td, &rec);
		BOOST_TEST(rec.error == error);
		BOOST_TEST(rec.side == STACK9_USER);
		BOOST_TEST((error == 0) == (rec.depth > 0));
		return error;
	}
	words frames() const { return {room, room + rec.depth}; }

	std::uintptr_t	room[64];
	stack9::stack_record	rec;
};

names
asked()
{
	auto all = fake::now.asked;
	fake::now.asked.clear();
	return all;
}

fake::user_thread &
set(mode m, std::size_t depth = 5)
{
	return fake::now.users[10] = {77, other, m, count_up(depth)};
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(user, fake::fresh)

BOOST_AUTO_TEST_CASE(sleeping, *description(
    "stack9_save() captures the user stack of another process's thread"))
{
	set(mode::sleeping);
	taken c;
	BOOST_TEST(c.save() == 0);
	BOOST_TEST(c.frames() == count_up(5));
	BOOST_TEST(c.rec.why == STACK9_WHY_NONE);
	BOOST_TEST(c.rec.route == "fake-user-first");
	BOOST_TEST(c.rec.thread.tid == 10);
	BOOST_TEST(asked() == names{"fake-user-first"});
}

BOOST_AUTO_TEST_CASE(on_a_cpu, *description(
    "a thread on a CPU is asked by the routes for running threads, with what "
    "the first ones found out"))
{
	for (const mode m : {mode::in_user, mode::in_kernel}) {
		set(m);
		taken c;
		BOOST_TEST(c.save() == 0);
		BOOST_TEST(c.frames() == count_up(5));
		BOOST_TEST(asked() == (names{"fake-user-first",
		    "fake-user-running"}), boost::test_tools::per_element());
	}
	fake::now.user_running = {EOPNOTSUPP, "no"};
	taken c;
	BOOST_TEST(c.save() == EOPNOTSUPP);
	BOOST_TEST(c.rec.why == STACK9_WHY_ON_CPU);
}

BOOST_AUTO_TEST_CASE(again, *description(
    "EAGAIN: At most 8 tries"))
{
	for (const mode m : {mode::moving, mode::torn}) {
		set(m);
		taken c;
		BOOST_TEST(c.save() == EAGAIN);
		BOOST_TEST(c.rec.why == (m == mode::torn ?
		    STACK9_WHY_TORN : STACK9_WHY_MOVED));
		BOOST_TEST(asked().size() == (m == mode::torn ? 8u : 16u));
		set(m).tries = 4;
		BOOST_TEST(c.save() == 0);
		BOOST_TEST(c.frames() == count_up(5));
		asked();
	}
}

BOOST_AUTO_TEST_CASE(gone, *description(
    "ESRCH: the thread is gone; another thread has its tid now"))
{
	taken c;
	BOOST_TEST(c.save() == ESRCH);
	BOOST_TEST(c.rec.why == STACK9_WHY_GONE);
	set(mode::sleeping).start = 78;
	BOOST_TEST(c.save() == ESRCH);
	BOOST_TEST(c.rec.why == STACK9_WHY_REUSED);
	set(mode::zombie);
	BOOST_TEST(c.save() == ESRCH);
	BOOST_TEST(c.rec.why == STACK9_WHY_ZOMBIE);
	BOOST_TEST(asked().size() == 3u);
}

BOOST_AUTO_TEST_CASE(next_route, *description(
    "A job goes through its routes in order until one succeeds"))
{
	set(mode::sleeping);
	taken c;
	for (const int error : {EPERM, EOPNOTSUPP, ENOMEM}) {
		fake::now.refusals = 1;
		fake::now.refused_with = error;
		BOOST_TEST(c.save() == 0);
		BOOST_TEST(c.frames() == count_up(5));
		BOOST_TEST(c.rec.route == "fake-user-second");
		BOOST_TEST(asked() == (names{"fake-user-first",
		    "fake-user-second"}), boost::test_tools::per_element());
	}
	fake::now.user_first = {EPERM, "no rights"};
	BOOST_TEST(c.save() == 0);
	BOOST_TEST(asked() == names{"fake-user-second"});
	fake::now.user_second = {EOPNOTSUPP, "not here"};
	BOOST_TEST(c.save() == EPERM);
	BOOST_TEST(c.rec.why == STACK9_WHY_RIGHTS);
	BOOST_TEST(c.rec.reason == "no rights");
}

BOOST_AUTO_TEST_CASE(final_answers, *description(
    "a kernel thread has no user stack; EBUSY: another tracer has it: no "
    "further route is asked"))
{
	taken c;
	set(mode::sleeping).refuses = EOPNOTSUPP;
	fake::now.users[10].why = STACK9_WHY_KTHREAD;
	BOOST_TEST(c.save() == EOPNOTSUPP);
	BOOST_TEST(c.rec.why == STACK9_WHY_KTHREAD);
	BOOST_TEST(asked() == names{"fake-user-first"});
	set(mode::sleeping).refuses = EBUSY;
	fake::now.users[10].why = STACK9_WHY_TRACED;
	BOOST_TEST(c.save() == EBUSY);
	BOOST_TEST(c.rec.why == STACK9_WHY_TRACED);
	BOOST_TEST(asked() == names{"fake-user-first"});
}

BOOST_AUTO_TEST_CASE(piece_by_piece, *description(
    "a longer stack is fetched on, by the route that took its beginning"))
{
	set(mode::sleeping, 50).piece = 3;
	taken c;
	BOOST_TEST(c.save() == 0);
	BOOST_TEST(c.frames() == count_up(50));
	BOOST_TEST(c.rec.why == STACK9_WHY_NONE);
	names expected(6, "fake-user-first+");
	expected.front() = "fake-user-first";	// 3, 6, 12, 24, 48, 50
	BOOST_TEST(asked() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(no_more_to_be_had, *description(
    "0: why says if the stack is known to be incomplete"))
{
	set(mode::sleeping, 50).piece = 3;
	fake::now.more = false;
	taken c;
	BOOST_TEST(c.save() == 0);
	BOOST_TEST(c.frames() == count_up(3));
	BOOST_TEST(c.rec.why == STACK9_WHY_MEMORY);
}

BOOST_AUTO_TEST_CASE(it_ran_before_the_rest, *description(
    "pieces of two moments are never joined: all of it is taken again"))
{
	set(mode::sleeping, 50).piece = 30;
	fake::now.users[10].runs_on = 3;
	taken c;
	BOOST_TEST(c.save() == 0);
	BOOST_TEST(c.frames() == count_up(50));
	BOOST_TEST(asked().size() == 8u);
	set(mode::sleeping, 50).piece = 30;
	fake::now.users[10].runs_on = 1000;
	BOOST_TEST(c.save() == EAGAIN);
	BOOST_TEST(c.rec.why == STACK9_WHY_TORN);
	BOOST_TEST(asked().size() == 16u);
}

BOOST_AUTO_TEST_CASE(room, *description(
    "truncated: deeper than max"))
{
	set(mode::sleeping, 50).piece = 3;
	taken c(7);
	BOOST_TEST(c.save() == 0);
	BOOST_TEST(c.frames() == count_up(7));
	BOOST_TEST(c.rec.why == STACK9_WHY_TRUNCATED);
	BOOST_TEST(c.rec.dropped >= 1u);
	// No more is fetched than has room.
	BOOST_TEST(asked().size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_space_of_its_own, *description(
    "space: NULL in stack9_save(): the call makes one for this capture only"))
{
	set(mode::sleeping);
	taken c;
	BOOST_TEST(c.save() == 0);
	BOOST_TEST(c.rec.space == nullptr);
	BOOST_TEST(fake::now.opened == 1);
	BOOST_TEST(fake::now.dropped == 1);
	BOOST_REQUIRE(core::space_open(&thread, &c.rec.space) == 0);
	stack9_space *const mine = c.rec.space;
	for (int i = 0; i < 3; i++)
		BOOST_TEST(c.save() == 0);
	BOOST_TEST(c.rec.space == mine);
	BOOST_TEST(fake::now.opened == 2);
	stack9::space_drop(mine);
	BOOST_TEST(fake::now.dropped == 2);
}

BOOST_AUTO_TEST_CASE(no_space, *description(
    "EPERM; ESRCH; ENOMEM, EMFILE: see rec->reason"))
{
	set(mode::sleeping);
	for (const auto &[error, why] : {
	    std::pair{EPERM, STACK9_WHY_RIGHTS}, {ESRCH, STACK9_WHY_GONE},
	    {ENOMEM, STACK9_WHY_RESOURCE}, {EMFILE, STACK9_WHY_RESOURCE}}) {
		fake::now.space_error = error;
		taken c;
		BOOST_TEST(c.save() == error);
		BOOST_TEST(c.rec.why == why);
	}
}

BOOST_AUTO_TEST_CASE(mapped_since, *description(
    "a space that lacks a pc is replaced by a newer one, and never changes"))
{
	set(mode::sleeping);
	fake::now.mapped_late = {0x400002};
	taken c;
	BOOST_REQUIRE(core::space_open(&thread, &c.rec.space) == 0);
	for (int i = 0; i < 3; i++) {
		BOOST_TEST(c.save() == 0);
		BOOST_TEST(c.frames() == count_up(5));
		BOOST_TEST(fake::now.renewed == 0);
	}
	stack9::space_drop(c.rec.space);
}

BOOST_AUTO_TEST_CASE(arguments, *description(
    "EINVAL: a pointer is NULL, tid < 1, side is not KERNEL or USER, or max is "
    "0"))
{
	set(mode::sleeping);
	taken c;
	for (const pid_t tid : {0, -1})
		BOOST_TEST(c.save({tid, other, 77}) == EINVAL);
	BOOST_TEST(core::save(STACK9_USER, nullptr, &c.rec) == EINVAL);
	BOOST_TEST(core::save(STACK9_USER, &thread, nullptr) == EINVAL);
	BOOST_TEST(core::save(STACK9_BOTH, &thread, &c.rec) == EINVAL);
	BOOST_TEST(core::save(static_cast<stack9_side>(4), &thread, &c.rec) ==
	    EINVAL);
	taken none(0);
	BOOST_TEST(none.save() == EINVAL);
	char text[64];
	none.rec.text = text;		// no route writes user stacks there
	none.rec.text_size = sizeof text;
	BOOST_TEST(none.save() == EINVAL);
	BOOST_TEST(asked().empty());
}

BOOST_AUTO_TEST_SUITE_END()
