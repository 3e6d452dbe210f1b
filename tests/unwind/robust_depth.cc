// Tests captures of deep stacks, and into small rooms.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cerrno>
#include <vector>

#include <pthread.h>

#include <stack9/sys/stack.h>

#include "own_save.h"
#include "robust_child.h"
#include "robust_truth.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(depth)

namespace {

constexpr std::uint32_t deep = 100000;

struct job {
	std::vector<std::uintptr_t>	room;
	stack9::stack_record			rec{};
};

// One call site: the jobs of a list differ in their rooms and nothing else.
[[gnu::noinline]] void
capture(void *arg)
{
	for (job &j : *static_cast<std::vector<job> *>(arg)) {
		j.rec.pcs = j.room.data();
		j.rec.max = static_cast<std::uint32_t>(j.room.size());
		j.rec.error = own::save_self(&j.rec);
	}
}

std::vector<job>
captured(unsigned int depth, const std::vector<std::uint32_t> &rooms)
{
	std::vector<job> jobs(rooms.size());
	for (std::size_t i = 0; i < rooms.size(); i++)
		jobs[i].room.resize(rooms[i]);
	under(depth, capture, &jobs);
	return jobs;
}

void
must_be(const job &j, std::uint32_t depth, std::uint32_t dropped,
    stack9_why why)
{
	if (j.rec.error != 0 || j.rec.depth != depth ||
	    j.rec.dropped != dropped || j.rec.why != why)
		broken("room %zu: error %d, %u frames, dropped %u, why %d; "
		    "but are %u, %u, %d", j.room.size(), j.rec.error,
		    j.rec.depth, j.rec.dropped, j.rec.why, depth, dropped, why);
}

// The first has room for all.
void
must_fit(const std::vector<job> &jobs, std::uint32_t frames)
{
	must_be(jobs[0], frames, 0, STACK9_WHY_NONE);
	for (const job &j : jobs) {
		const auto room = static_cast<std::uint32_t>(j.room.size());
		if (room >= frames)
			must_be(j, frames, 0, STACK9_WHY_NONE);
		else
			must_be(j, room, frames - room, STACK9_WHY_TRUNCATED);
		must(std::equal(j.room.begin(), j.room.begin() + j.rec.depth,
		    jobs[0].room.begin()), "the innermost are kept");
	}
}

void
deep_and_cut()
{
	const job base = captured(4, {64})[0];
	const std::uintptr_t again = base.room[2];
	const std::uint32_t frames = base.rec.depth - 4 + deep;
	const std::vector<job> jobs = captured(deep, {frames + 100, 1, 18, 64,
	    65, 1000, deep, frames - 1, frames, frames + 1});
	must_fit(jobs, frames);
	must(std::count(jobs[0].room.begin(), jobs[0].room.end(), again) >=
	    deep - 1, "every frame of the recursion is there");
}

void *
deep_and_cut_thread(void *)
{
	deep_and_cut();
	return nullptr;
}

void
on_a_large_stack()
{
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, std::size_t{256} << 20);
	pthread_t thread;
	must(pthread_create(&thread, &attr, deep_and_cut_thread, nullptr) == 0,
	    "there is memory for a large stack");
	pthread_join(thread, nullptr);
}

void
every_room_at_every_depth()
{
	std::vector<std::uint32_t> rooms{256};
	for (std::uint32_t room = 1; room < 100; room++)
		rooms.push_back(room);
	const std::uint32_t base = captured(0, rooms)[0].rec.depth;
	for (unsigned int depth = 0; depth < 80; depth++)
		must_fit(captured(depth, rooms), base + depth);
}

int
count(void *arg, const char *name, std::uint64_t, const char *meaning)
{
	int &counts = *static_cast<int *>(arg);
	counts += name != nullptr && *name != '\0' && meaning != nullptr &&
	    *meaning != '\0' ? 1 : 1000;
	return 0;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_hundred_thousand_frames_are_all_found, *description(
    "dropped is exact: the walk goes on to the outermost frame"))
{
	BOOST_TEST(in_child(on_a_large_stack) == "");
}

BOOST_AUTO_TEST_CASE(whatever_the_room_what_is_dropped_is_counted, *description(
    "why is STACK9_WHY_NONE if the outermost frame was reached, "
    "STACK9_WHY_TRUNCATED if the outermost frame did not fit into pcs"))
{
	BOOST_TEST(in_child(every_room_at_every_depth) == "");
}

BOOST_AUTO_TEST_CASE(no_room_is_an_error, *description(
    "EINVAL: A pointer is NULL, tid is less than 1, rec has no buffer for "
    "frames"))
{
	std::uintptr_t pc = 1;
	stack9::stack_record rec{};
	BOOST_TEST(own::save_self(nullptr) == EINVAL);
	BOOST_TEST(own::save_self(&rec) == EINVAL);
	rec.pcs = &pc;
	BOOST_TEST(own::save_self(&rec) == EINVAL);
	rec = {};
	rec.max = 1;
	BOOST_TEST(own::save_self(&rec) == EINVAL);
	BOOST_TEST(rec.error == EINVAL);
	BOOST_TEST(rec.depth == 0u);
	BOOST_TEST(pc == 1u);
}

BOOST_AUTO_TEST_CASE(what_the_unwinder_did_is_counted, *description(
    "fn is called with each count, its name and a sentence about it. If fn "
    "returns a value other than 0, the call ends and that value is returned"))
{
	int counts = 0;
	BOOST_TEST(stack9_stats(nullptr, nullptr) == EINVAL);
	BOOST_TEST(stack9_stats(count, &counts) == 0);
	BOOST_TEST(counts > 0);
	BOOST_TEST(counts < 1000);
	BOOST_TEST(stack9_stats([](void *, const char *, std::uint64_t,
	    const char *) { return 17; }, nullptr) == ECANCELED);
}

BOOST_AUTO_TEST_SUITE_END()
