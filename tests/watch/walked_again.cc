// Tests user stacks that come again, whole or in part, and their counts.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <map>

#include "core/seam/record.h"
#include "paths.h"
#include "walks.h"

BOOST_AUTO_TEST_SUITE(watch_walked)

namespace {

using boost::unit_test::description;

// Counts the events of programs/turns.c by their ends and levels.
std::map<std::string, std::uint64_t>
turns_in(const std::vector<kept_sample> &samples)
{
	std::map<std::string, std::uint64_t> all;
	for (const kept_sample &s : samples) {
		int levels = 0;
		std::string stack;
		for (const std::string &name : s.user.names()) {
			levels += name == "level";
			if (name != "level" && name != "roomy")
				stack += name + " ";
		}
		all[std::to_string(levels) + " levels: " + stack] += s.events;
	}
	return all;
}

// Counts the events of programs/runs.c by their levels.
std::map<long, std::uint64_t>
runs_in(const std::vector<kept_sample> &samples)
{
	std::map<long, std::uint64_t> all;
	for (const kept_sample &s : samples) {
		const std::vector<std::string> names = s.user.names();
		if (const long levels = std::count(names.begin(), names.end(),
		    "level"); levels != 0)
			all[levels] += s.events;
	}
	return all;
}

// The stacks of each were counted so often, or more seldom if there was no room
// for copies of a reader that got no CPU.
void
check_events(const stack9::watch_totals &t, std::uint64_t events, long truth)
{
	const auto all = static_cast<std::uint64_t>(truth);
	BOOST_TEST(events <= all);
	BOOST_TEST((events == all || t.no_room + t.skipped != 0), told(t));
}

} // namespace

BOOST_AUTO_TEST_CASE(the_same_stack_again_is_remembered, *needs("bpf") * walks()
    * description("these frames were compared, and not walked again"))
{
	stack9::watch_totals t{};
	// A reader that gets no CPU learns no rules, and none is walked.
	for (int tries = 10; t.walked == 0 && tries > 0; tries--) {
		staged p("deep_lean", {"6", "60000"});
		watching w(event, only(p.pid()), counted(STACK9_USER));
		w.all_of(p);
		w.end();
		t = w.tally();
	}
	BOOST_TEST(t.remembered <= t.walked);
	BOOST_TEST(t.remembered > t.walked / 2);
}

// Both ends of a stack differ from the last one's, or one does, with any number
// of frames between them that are the same.
BOOST_AUTO_TEST_CASE(stacks_whose_ends_change, *needs("bpf") * walks()
    * description("walks stacks without frame pointers"))
{
	constexpr unsigned levels = 60, times = 64;
	for (const char *const program : {"turns_lean", "turns"}) {
		staged p(program, {std::to_string(levels),
		    std::to_string(times)});
		watching w(event, only(p.pid()), roomy());
		w.all_of(p);
		w.end();
		const stack9::watch_totals t = w.tally();
		BOOST_TEST(t.events + t.skipped >= 4u * levels * times);
		// A reader that gets no CPU learns no rules in that time.
		BOOST_TEST((t.remembered > t.walked / 2 ||
		    t.walked < t.events / 2), told(t));
		const auto all = turns_in(w.samples);
		BOOST_TEST(all.size() == 4 * levels);
		for (const auto &[stack, events] : all)
			BOOST_TEST((events == times || t.skipped != 0), stack <<
			    events << " times, not " << times);
	}
}

// The innermost frames are those of the last stack, and outer ones are not.
BOOST_AUTO_TEST_CASE(stacks_that_are_the_last_one_in_part,
    *needs("bpf") * walks()
    * description("In each walk it is compared word by word"))
{
	constexpr unsigned paths = 4000;
	const comparing both;
	for (const char *const program : {"tree_lean", "tree"}) {
		staged tree(program, {std::to_string(paths)});
		watching w(event, only(tree.pid()), counted(STACK9_USER));
		w.all_of(tree);
		w.end();
		check_compared(w, events_of(paths));
	}
	for (const char *const program : {"turns_lean", "turns"}) {
		staged p(program, {"130", "64"});
		watching w(event, only(p.pid()), counted(STACK9_USER));
		w.all_of(p);
		w.end();
		check_compared(w, 130u * 4 * 64);
	}
}

// The words that led through the last stack are all in memory still.
BOOST_AUTO_TEST_CASE(stacks_that_only_a_frame_pointer_reports_from_others,
    *needs("bpf") * walks()
    * description("In each walk it is compared word by word"))
{
	constexpr unsigned times = 2000;
	const comparing both;
	for (const char *const program : {"shifts_lean", "shifts"}) {
		staged p(program, {std::to_string(times)});
		watching w(event, only(p.pid()), roomy());
		w.all_of(p);
		w.end();
		check_compared(w, 16 * times);
		BOOST_TEST(w.samples.size() == 4u);
	}
}

// The counts of stacks that come in runs, asked for while they come, only grow,
// and are right at the end.
BOOST_AUTO_TEST_CASE(counts_of_stacks_that_come_in_runs,
    *needs("bpf") * walks()
    * description("The events that were counted under their own stacks"))
{
	constexpr long levels = 60, rounds = 15;
	const struct {
		const char	*program;
		stack9_side	 side;
		unsigned int	 flags;
	} ways[] = {
		{"runs_lean", STACK9_USER, 0}, {"runs", STACK9_USER, 0},
		{"runs_lean", STACK9_BOTH, 0},
		{"runs", STACK9_USER, STACK9_WATCH_FRAME_POINTERS},
		{"runs", STACK9_BOTH, STACK9_WATCH_FRAME_POINTERS},
	};
	for (const auto &way : ways) {
		staged p(way.program, {std::to_string(levels),
		    std::to_string(rounds)});
		stack9::watch_sink sink = roomy();
		sink.side = way.side;
		sink.flags = way.flags;
		watching w(event, only(p.pid()), sink);
		std::map<std::vector<uintptr_t>, std::uint64_t> before;
		std::uint64_t fallen = 0;
		p.go();
		do {
			w.read(1);
			w.count();
			decltype(before) now;
			for (const kept_sample &s : w.samples)
				now[s.user.pcs] += s.events;
			for (const auto &[stack, events] : before)
				fallen += now[stack] < events;
			before.swap(now);
		} while (!p.done());
		w.end();
		const stack9::watch_totals t = w.tally();
		BOOST_TEST(fallen == 0u);
		BOOST_TEST((way.flags != 0 ||
		    t.walked + t.copied == t.events), told(t));
		const auto all = runs_in(w.samples);
		BOOST_TEST(all.size() == std::size_t{levels});
		for (const auto &[stack, events] : all)
			check_events(t, events, 2 * rounds * stack);
		BOOST_TEST(events_in(w.samples, "level") + t.skipped +
		    t.no_room >= static_cast<std::uint64_t>(p.truth().at(0)));
	}
}

// Stacks with equal addresses come in turns, as the two share their CPUs.
BOOST_AUTO_TEST_CASE(counts_of_two_processes_with_equal_addresses,
    *needs("bpf") * walks()
    * description("The events that were counted under their own stacks"))
{
	constexpr long levels = 8, rounds = 500;
	for (const unsigned int flags : either_walk) {
		staged p("runs", {std::to_string(levels),
		    std::to_string(rounds), "2"});
		stack9::watch_filter both{};
		both.comm = "runs";
		stack9::watch_sink sink = roomy();
		sink.flags = flags;
		watching w(event, both, sink);
		w.all_of(p);
		w.end();
		const stack9::watch_totals t = w.tally();
		// Others may run the program, too.
		std::map<pid_t, std::uint64_t> all{{p.pid(), 0},
		    {static_cast<pid_t>(p.truth().at(1)), 0}};
		for (const kept_sample &s : w.samples)
			if (s.user.has("level") && all.contains(s.thread.pid))
				all[s.thread.pid] += s.events;
		BOOST_TEST(all.size() == 2u);
		for (const auto &[pid, events] : all)
			check_events(t, events, rounds * levels * (levels + 1));
	}
}

BOOST_AUTO_TEST_SUITE_END()
