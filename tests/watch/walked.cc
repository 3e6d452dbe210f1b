// Tests user stacks that are walked in the kernel by learned rules, against
// copies of the same stacks and against what programs know of their own.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>

#include "core/seam/record.h"
#include "paths.h"
#include "walks.h"

BOOST_AUTO_TEST_SUITE(watch_walked)

namespace {

using boost::unit_test::description;

std::uint64_t
run_tree(unsigned paths, unsigned int flags)
{
	staged tree("tree_lean", {std::to_string(paths)});
	stack9::watch_sink sink = roomy();
	sink.flags = flags;
	watching w(event, only(tree.pid()), sink);
	w.all_of(tree);
	w.end();
	const stack9::watch_totals t = w.tally();
	const ways all(w.samples);
	BOOST_TEST(t.walked + t.copied == t.events);
	BOOST_TEST(t.remembered <= t.walked);
	BOOST_TEST(all.wrong(paths).size() == 0u);
	BOOST_TEST(events_in(w.samples) == events_of(paths));
	return t.walked;
}

// Rules of the library that was there before lead to the outermost frame at
// once.  Copies that are unwound after their library has gone may do so, too;
// so copies are compared only if it has not.  False: less than a quarter was
// walked, as the reader got no CPU to learn by.
bool
walks_plugs(bool compares)
{
	constexpr std::uint64_t times = 12, calls = 1500;
	staged p("plugs_lean", {STAGED, std::to_string(times),
	    std::to_string(calls)});
	watching w(event, only(p.pid()), roomy());
	w.all_of(p);
	w.end();
	BOOST_TEST(p.truth().at(0) > 0);
	const stack9::watch_totals t = w.tally();
	const std::uint64_t all = (2 * calls + 2) * times;
	BOOST_TEST(t.events <= all);
	BOOST_TEST(t.events + t.skipped >= all);
	BOOST_TEST(t.kept + t.no_room == t.events);
	BOOST_TEST(t.differing == 0u);
	std::uint64_t wrong = 0;
	for (const kept_sample &k : w.samples)
		if (k.user.why == STACK9_WHY_NONE && !k.user.has("main"))
			wrong += k.events;
	BOOST_TEST((compares || wrong <= t.copied));
	if (t.kept == all) {	// on a busy machine any may be lacking
		BOOST_TEST(events_in(w.samples, "handler") == 2 * times);
		BOOST_TEST(events_in(w.samples, "interrupted") >= times);
	}
	return t.walked > t.events / 4;
}

// Checks that more than a bound of a program's stacks are walked.  If fewer
// were, the reader got no CPU to learn by, and the program goes again, for
// twice as long.
void
check_walks(const char *program, std::uint64_t amount, const char *what,
    std::uint64_t (*bound)(std::uint64_t events))
{
	stack9::watch_totals t{};
	for (int tries = 6; tries > 0 && t.walked <= bound(t.events); tries--) {
		staged p(program, {std::to_string(amount)});
		watching w(what, only(p.pid()), counted(STACK9_USER));
		w.all_of(p);
		w.end();
		t = w.tally();
		BOOST_TEST(t.differing == 0u);
		amount *= 2;
	}
	BOOST_TEST(t.walked > bound(t.events));
}

} // namespace

BOOST_AUTO_TEST_CASE(most_are_walked_once_rules_are_known,
    *needs("bpf") * walks()
    * description("walked: The user stacks that the kernel's side walked by "
    "learned rules"))
{
	constexpr unsigned paths = 4000;
	std::uint64_t walked = 0;
	// A reader that gets no CPU learns no rules, and none is walked.
	for (int tries = 10; walked == 0 && tries > 0; tries--)
		walked = run_tree(paths, 0);
	BOOST_TEST(walked > 0u);
}

BOOST_AUTO_TEST_CASE(all_are_copied_where_the_kernel_cannot_report,
    *needs("bpf") * copied()
    * description("This kernel lacks what walks by learned rules need."))
{
	staged p("deep_lean", {"6", "2000"});
	watching w(event, only(p.pid()), counted(STACK9_USER));
	w.all_of(p);
	w.end();
	const stack9::watch_totals t = w.tally();
	BOOST_TEST(((t.flags & STACK9_TALLY_NO_WALK) == 0 || t.walked == 0));
	BOOST_TEST(t.walked + t.copied == 2000u);
	BOOST_TEST(events_in(w.samples, "main") + t.no_room == 2000u);
}

// Ruby's threads have such a frame.
BOOST_AUTO_TEST_CASE(a_frame_that_is_larger_than_a_copy, *needs("bpf") * walks()
    * description("The process is read for what a copy lacks of a stack, in "
    "order to learn the rules of the outer frames."))
{
	for (const char *const program : {"aside", "aside_lean"})
		check_walks(program, 4000, event, [](std::uint64_t events) {
			return events / 2;
		});
	staged p("aside_lean", {"20000"});
	watching w(event, only(p.pid()), counted(STACK9_USER));
	w.all_of(p);
	w.end();
	std::uint64_t whole = 0;
	for (const kept_sample &s : w.samples)
		if (s.user.why == STACK9_WHY_NONE) {
			BOOST_TEST(s.user.has("room"));
			BOOST_TEST(s.user.has("main"));
			whole += s.events;
		}
	const stack9::watch_totals t = w.tally();
	BOOST_TEST(whole == t.walked);
	BOOST_TEST(t.copied + t.walked == 20000u);
}

BOOST_AUTO_TEST_CASE(none_is_walked_with_copy, *needs("bpf") * copied()
    * description("STACK9_WATCH_COPY: each user stack is copied"))
{
	BOOST_TEST(run_tree(500, STACK9_WATCH_COPY) == 0u);
}

BOOST_AUTO_TEST_CASE(walks_and_copies_are_the_same, *needs("bpf") * walks()
    * description("STACK9_WALK, compare: walks user stacks and copies them, "
    "too"))
{
	const comparing both;
	for (const char *const program : {"deep_lean", "wide_lean", "deep"}) {
		staged p(program, {"6", "60000"});
		watching w(event, only(p.pid()), counted(STACK9_USER));
		w.all_of(p);
		w.end();
		check_compared(w, 60000);
	}
}

BOOST_AUTO_TEST_CASE(threads_of_one_process, *needs("bpf") * walks()
    * description("The kernel counts these events in skipped"))
{
	const comparing both;
	staged p("threads_lean", {"10000"});
	watching w(event, only(p.pid()), streamed(STACK9_BOTH));
	w.all_of(p);
	w.end();
	check_compared(w, 60000);
}

BOOST_AUTO_TEST_CASE(code_in_the_place_of_other_code, *needs("bpf") * walks())
{
	constexpr int tries = 20;
	for (const bool compares : {true, false}) {
		if (compares)
			setenv("STACK9_WALK", "compare", 1);
		else
			unsetenv("STACK9_WALK");
		int n = 0;
		while (n < tries && !walks_plugs(compares))
			n++;
		BOOST_TEST(n < tries);
	}
}

// These walks are deeper than those of the kernel, and go through the vdso.
BOOST_AUTO_TEST_CASE(deep_stacks_and_the_vdso, *needs("bpf") * walks()
    * description("more than 1024 frames"))
{
	const comparing both;
	staged deep("deep_lean", {"1000", "10000"});
	watching w(event, only(deep.pid()), counted(STACK9_USER));
	w.all_of(deep);
	w.end();
	check_compared(w, 10000);
	check_walks("spins_lean", 50, "syscall:clock_gettime",
	    [](std::uint64_t events) { return events / 4; });
}

BOOST_AUTO_TEST_CASE(time_off_the_cpu, *needs("bpf") * walks()
    * unless(no_walks_in_interrupts))
{
	const comparing both;
	check_walks("naps_lean", 20, "offcpu",
	    [](std::uint64_t) { return std::uint64_t{0}; });
}

BOOST_AUTO_TEST_CASE(samples_of_a_clock, *needs("bpf") * walks()
    * unless(no_walks_in_interrupts))
{
	const comparing both;
	// All rules of the functions that were met are known.
	check_walks("spins_lean", 300, "cpu-clock:1999",
	    [](std::uint64_t events) { return events - events / 4; });
}

BOOST_AUTO_TEST_CASE(real_time_kernels_have_samples_copied,
    *needs("bpf") * copied()
    * unless([] { return std::string(is_real_time() ? "" :
    "this is no real-time kernel"); })
    * description("the stacks of a clock's samples and of threads that leave "
    "their CPU are copied there"))
{
	for (const char *const what : {"cpu-clock:1999", "offcpu"}) {
		staged p(*what == 'c' ? "spins_lean" : "naps_lean", {"50"});
		watching w(what, only(p.pid()), counted(STACK9_USER));
		w.all_of(p);
		w.end();
		const stack9::watch_totals t = w.tally();
		BOOST_TEST(t.walked == 0u);
		BOOST_TEST(t.copied > 0u);
	}
}

BOOST_AUTO_TEST_SUITE_END()
