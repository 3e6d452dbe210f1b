// Counts tens of thousands of distinct stacks, each as often as it was.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>

#include "core/seam/record.h"
#include "paths.h"

BOOST_AUTO_TEST_SUITE(watch_counts)

namespace {

using boost::unit_test::description;

constexpr char event[] = "syscall:getppid";
constexpr unsigned many = 64000, some = 4000;
constexpr auto by_frame_pointers = STACK9_WATCH_FRAME_POINTERS;

// Counts all stacks: each comes once, with as many events as there were.
void
check_whole(const watching &w, unsigned paths)
{
	const stack9::watch_totals t = w.tally();
	const ways all(w.samples);
	BOOST_TEST(t.events == events_of(paths));
	BOOST_TEST(t.kept == events_of(paths));
	BOOST_TEST(t.no_room == 0u);
	BOOST_TEST(t.nested == 0u);
	BOOST_TEST(t.truncated == 0u);
	BOOST_TEST(t.stacks == w.samples.size());
	BOOST_TEST(all.lost == 0u);
	BOOST_TEST(all.wrong(paths).size() == 0u);
}

void
check_one_each(const watching &w, unsigned paths)
{
	check_whole(w, paths);
	BOOST_TEST(w.samples.size() == paths);
}

// Events that a call of bpf(2) may have hidden are allowed for.
void
check_shown(const watching &w, unsigned paths)
{
	const stack9::watch_totals t = w.tally();
	if (t.skipped == 0) {
		check_one_each(w, paths);
		return;
	}
	check_sum(t);
	BOOST_TEST(t.events < events_of(paths));
	BOOST_TEST(t.events + t.skipped >= events_of(paths));
	BOOST_TEST(t.kept == t.events);
	BOOST_TEST(events_in(w.samples) == t.kept);
	BOOST_TEST(ways(w.samples).merged().size() == 0u);
}

void
check_events(const watching &w, unsigned paths)
{
	const stack9::watch_totals t = w.tally();
	check_sum(t);
	BOOST_TEST(t.events == events_of(paths));
	BOOST_TEST(events_in(w.samples) == t.kept);
}

} // namespace

BOOST_AUTO_TEST_CASE(none_is_lost_and_none_merged, *needs("bpf")
    * description("Stacks are counted in the kernel, where distinct stacks are "
    "compared by all of their addresses; kept: counted under their own stacks"))
{
	staged tree("tree", {std::to_string(many)});
	watching w(event, only(tree.pid()), counted(STACK9_USER,
	    by_frame_pointers));
	w.all_of(tree);
	w.end();
	BOOST_TEST(tree.truth()[0] == static_cast<std::int64_t>(
	    events_of(many)));
	check_one_each(w, many);
	BOOST_TEST(w.tally().spilled == 0u);
}

BOOST_AUTO_TEST_CASE(nor_with_the_kernels_side, *needs("bpf")
    * description("side: STACK9_BOTH: kernel and user"))
{
	staged tree("tree", {std::to_string(many)});
	watching w(event, only(tree.pid()), counted(STACK9_BOTH,
	    by_frame_pointers));
	w.all_of(tree);
	w.end();
	check_whole(w, many);
	for (const kept_sample &s : w.samples)
		if (s.kernel.error != 0 || s.kernel.pcs.empty())
			BOOST_FAIL("no kernel side: " << s.kernel.reason);
}

BOOST_AUTO_TEST_CASE(nor_those_of_two_processes, *needs("bpf")
    * description("thread: pid 0 if processes are not counted separately; the "
    "same addresses of two processes are two stacks"))
{
	constexpr unsigned paths = 20000;
	staged one("tree", {std::to_string(paths)});
	staged two("tree", {std::to_string(paths)});
	stack9::watch_filter tree{};
	tree.comm = "tree";
	watching w(event, tree, counted(STACK9_USER, by_frame_pointers));
	one.go();
	w.all_of(two);
	w.until_done(one);
	w.end();
	BOOST_TEST_CONTEXT(told(w.tally())) {
		for (const staged *p : {&one, &two}) {
			const ways its(w.samples, p->pid());
			BOOST_TEST(its.lost == 0u);
			BOOST_TEST(its.wrong(paths).size() == 0u);
		}
		BOOST_TEST(w.samples.size() == 2 * paths);
		BOOST_TEST(w.tally().kept == 2 * events_of(paths));
	}
}

// With copies each event goes through the ring, and the ring has to hold it.
BOOST_AUTO_TEST_CASE(nor_without_frame_pointers, *needs("bpf") * copied()
    * description("STACK9_WATCH_FRAME_POINTERS: else copied, and unwound as "
    "stack9_save() does it"))
{
	staged tree("tree_lean", {std::to_string(some)});
	stack9::watch_sink sink = counted(STACK9_USER);
	sink.ring = 128u << 20;
	watching w(event, only(tree.pid()), sink);
	w.all_of(tree);
	w.end();
	check_whole(w, some);
}

BOOST_AUTO_TEST_CASE(more_than_there_is_room_for, *needs("bpf")
    * description("stacks: STACK9_WATCH_COUNT: the kernel's tables can store "
    "so many distinct stacks of each size. More stacks go to the process; "
    "spilled: of the kept: counted by the process, because the kernel's tables "
    "were full"))
{
	staged tree("tree", {std::to_string(many)});
	stack9::watch_sink sink = counted(STACK9_USER, by_frame_pointers);
	sink.stacks = 100;
	sink.ring = 128u << 20;
	watching w(event, only(tree.pid()), sink);
	w.all_of(tree);
	w.end();
	check_one_each(w, many);
	BOOST_TEST(w.tally().spilled > 0u);
	BOOST_TEST(w.tally().spilled < events_of(many));
}

BOOST_AUTO_TEST_CASE(and_nowhere_to_go, *needs("bpf")
    * description("no_room: no free space in the tables or in the ring; events "
    "= kept + nested + no_room"))
{
	staged tree("tree", {std::to_string(many)});
	stack9::watch_sink sink = counted(STACK9_USER, by_frame_pointers);
	sink.stacks = 100;
	sink.ring = 4096;
	watching w(event, only(tree.pid()), sink);
	tree.go();
	tree.truth();		// without a reader
	w.end();
	const stack9::watch_totals t = w.tally();
	check_events(w, many);
	BOOST_TEST(t.no_room > 0u);
	BOOST_TEST(t.kept > 0u);
	const ways all(w.samples);
	BOOST_TEST(all.lost == 0u);
	BOOST_TEST(all.merged().size() == 0u);
}

BOOST_AUTO_TEST_CASE(nor_copied, *needs("bpf") * copied()
    * description("no_room: no free space in the tables or in the ring; events "
    "= kept + nested + no_room"))
{
	staged tree("tree_lean", {std::to_string(some)});
	stack9::watch_sink sink = counted(STACK9_USER);
	sink.ring = 1 << 16;
	watching w(event, only(tree.pid()), sink);
	tree.go();
	tree.truth();		// without a reader
	w.end();
	check_events(w, some);
	BOOST_TEST(w.tally().no_room > 0u);
	const ways all(w.samples);
	BOOST_TEST(all.lost == 0u);
	BOOST_TEST(all.merged().size() == 0u);
}

BOOST_AUTO_TEST_CASE(while_they_come, *needs("bpf")
    * description("stack9_watch_each: It may be called at any time and "
    "repeatedly; how often it occurred since the watch began; From Linux 6.7 "
    "on, the kernel counts these events"))
{
	staged tree("tree", {std::to_string(some)});
	watching w(event, only(tree.pid()), counted(STACK9_USER,
	    by_frame_pointers));
	std::uint64_t before = 0;
	tree.go();
	while (!tree.done()) {
		w.read(0);
		w.count();
		const std::uint64_t now = events_in(w.samples);
		BOOST_TEST(now >= before);
		before = now;
	}
	w.end();
	check_shown(w, some);
	w.count();
	check_shown(w, some);
}

BOOST_AUTO_TEST_SUITE_END()
