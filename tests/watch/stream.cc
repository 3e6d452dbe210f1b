// Reads events one by one: in their order, none missing.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <set>

#include <poll.h>
#include <time.h>

#include "core_calls.h"
#include "lib/process.h"
#include "paths.h"
#include "user.h"

BOOST_AUTO_TEST_SUITE(watch_stream)

namespace {

using boost::unit_test::description;
using lib::boot_ns;

constexpr char event[] = "syscall:getppid";
constexpr unsigned few = 1000;

std::uint64_t
dropped_in(const watching &w)
{
	std::uint64_t sum = 0;
	for (const kept_sample &s : w.samples)
		sum += s.dropped;
	return sum;
}

bool
readable(const watching &w)
{
	pollfd p{core::watch_fd(w.get()), POLLIN, 0};
	return poll(&p, 1, 0) == 1;
}

stack9::watch_sink
by_frame_pointers()
{
	return streamed(STACK9_USER, STACK9_WATCH_FRAME_POINTERS);
}

} // namespace

BOOST_AUTO_TEST_CASE(each_event_is_given, *needs("bpf")
    * description("STACK9_WATCH_STREAM: each event, given by "
    "stack9_watch_read(); when_ns: CLOCK_BOOTTIME; events: 1"))
{
	staged tree("tree", {std::to_string(few)});
	const std::uint64_t begin = boot_ns();
	watching w(event, only(tree.pid()), by_frame_pointers());
	w.all_of(tree);
	w.end();
	std::uint64_t before = begin;
	for (const kept_sample &s : w.samples) {
		BOOST_TEST(s.thread.pid == tree.pid());
		BOOST_TEST(s.thread.tid == tree.pid());
		BOOST_TEST(s.comm == "tree");
		BOOST_TEST(s.event == event);
		BOOST_TEST(s.cpu >= 0);
		BOOST_TEST(s.events == 1u);
		BOOST_TEST(s.dropped == 0u);
		BOOST_TEST(s.when_ns >= before);
		before = s.when_ns;
	}
	BOOST_TEST(before <= boot_ns());
	BOOST_TEST(w.samples.size() == events_of(few));
	BOOST_TEST(ways(w.samples).wrong(few).size() == 0u);
	BOOST_TEST(w.tally().kept == events_of(few));
}

BOOST_AUTO_TEST_CASE(of_copied_stacks_too, *needs("bpf") * copied()
    * description("STACK9_WATCH_FRAME_POINTERS: else copied, and unwound as "
    "stack9_save() does it"))
{
	for (int left = 5;;) {
		staged tree("tree_lean", {std::to_string(few)});
		stack9::watch_sink sink = streamed(STACK9_BOTH);
		sink.ring = 64u << 20;
		watching w(event, only(tree.pid()), sink);
		w.all_of(tree);
		w.end();
		const ways all(w.samples);
		BOOST_TEST(all.lost == 0u);
		if (is_made_again(w.tally(), events_of(few), left))
			continue;
		BOOST_TEST(all.wrong(few).size() == 0u);
		BOOST_TEST(w.samples.size() == events_of(few));
		return;
	}
}

BOOST_AUTO_TEST_CASE(a_read_ends_however_many_events_there_are, *needs("bpf")
    * description("A call that has found events ends after some 50 "
    "milliseconds, however many there are."))
{
	constexpr unsigned paths = 4000;
	const auto slow = [](void *, const stack9::watch_sample *) {
		constexpr timespec one_ms{0, 1'000'000};
		return nanosleep(&one_ms, nullptr);
	};
	staged tree("tree", {std::to_string(paths)});
	stack9::watch_sink sink = by_frame_pointers();
	const stack9::watch_filter filter = only(tree.pid());
	sink.fn = slow;
	stack9::event_watcher *w = nullptr;
	char reason[core::reason_max];
	BOOST_REQUIRE(core::watch(event, &filter, &sink, &w, reason) == 0);
	tree.go();
	while (!tree.done())
		sched_yield();
	const std::uint64_t begin = boot_ns();
	BOOST_TEST(core::watch_read(w, 0) == 0);
	const std::uint64_t took = boot_ns() - begin;
	core::watch_close(w);
	// All of them take this time at least.
	BOOST_TEST(took < events_of(paths) * 1'000'000);
	BOOST_TEST_MESSAGE("it took " << took / 1'000'000 << " ms");
}

BOOST_AUTO_TEST_CASE(threads_are_reported_apart, *needs("bpf")
    * description("thread; comm: the thread's name; cpu"))
{
	constexpr std::int64_t times = 200;
	staged p("threads", {std::to_string(times)});
	watching w(event, only(p.pid()), by_frame_pointers());
	w.all_of(p);
	w.end();
	const char *const names[] = {"t-one", "t-two", "t-three"};
	for (std::size_t i = 0; i < std::size(names); i++) {
		std::int64_t seen = 0;
		for (const kept_sample &s : w.samples)
			if (s.thread.tid == p.ready()[i]) {
				seen++;
				BOOST_TEST(s.comm == names[i]);
				BOOST_TEST(s.user.has(names[i] + 2),
				    joined(s.user.names()));
			}
		BOOST_TEST(seen == static_cast<std::int64_t>(i + 1) * times);
	}
}

BOOST_AUTO_TEST_CASE(what_a_slow_reader_misses_is_counted, *needs("bpf")
    * description("dropped: events of the stream that were lost since the last "
    "sample"))
{
	staged first("tree", {"20000"}), second("tree", {"10"});
	stack9::watch_filter tree{};
	tree.comm = "tree";
	stack9::watch_sink sink = by_frame_pointers();
	sink.ring = 1 << 16;
	watching w(event, tree, sink);
	first.go();
	first.truth();		// without a reader
	while (w.read(0) == 0)
		;
	BOOST_TEST(w.samples.size() > 0u);
	w.all_of(second);	// the reader goes on
	w.end();
	const stack9::watch_totals t = w.tally();
	const std::uint64_t all = events_of(20000) + events_of(10);
	check_sum(t);
	BOOST_TEST(t.events == all);
	BOOST_TEST(t.no_room > 0u);
	BOOST_TEST(w.samples.size() == t.kept);
	BOOST_TEST(dropped_in(w) == t.no_room + t.nested);
	BOOST_TEST(w.samples.size() + dropped_in(w) == all);
	const ways after(w.samples, second.pid());
	BOOST_TEST(after.wrong(10).size() == 0u);
	BOOST_TEST(ways(w.samples).lost == 0u);
}

BOOST_AUTO_TEST_CASE(a_descriptor_says_when, *needs("bpf")
    * description("stack9_watch_fd: a descriptor that can be read, once an "
    "event has arrived"))
{
	staged tree("tree", {"100"});
	watching w(event, only(tree.pid()), by_frame_pointers());
	BOOST_TEST(!readable(w));
	BOOST_TEST(w.read(0) == EAGAIN);
	BOOST_TEST(w.read(1) == EAGAIN);
	tree.go();
	tree.truth();
	BOOST_TEST(readable(w));
	while (w.read(0) == 0)
		;
	BOOST_TEST(w.samples.size() == events_of(100));
	BOOST_TEST(!readable(w));
}

namespace {

// Ends each call at its first sample.
struct one_by_one {
	int		samples = 0;
	static int
	take(void *arg, const stack9::watch_sample *)
	{
		static_cast<one_by_one *>(arg)->samples++;
		return 77;
	}
};

} // namespace

BOOST_AUTO_TEST_CASE(whoever_reads_may_pause, *needs("bpf")
    * description("the value other than 0 that fn returned: the next call "
    "delivers the remaining events"))
{
	staged tree("tree", {"100"});
	one_by_one one;
	stack9::watch_sink sink = by_frame_pointers();
	sink.fn = one_by_one::take;
	sink.arg = &one;
	const stack9::watch_filter its = only(tree.pid());
	stack9::event_watcher *w = nullptr;
	BOOST_REQUIRE(core::watch(event, &its, &sink, &w, nullptr) == 0);
	tree.go();
	tree.truth();
	int calls = 0;
	while (core::watch_read(w, 0) == 77)
		calls++;
	BOOST_TEST(core::watch_read(w, 0) == EAGAIN);
	BOOST_TEST(calls == one.samples);
	BOOST_TEST(static_cast<std::uint64_t>(calls) == events_of(100));
	BOOST_TEST(core::watch_counts(w) == EINVAL);
	core::watch_close(w);
}

BOOST_AUTO_TEST_SUITE_END()
