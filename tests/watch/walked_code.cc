// Tests walks by learned rules through code without unwind information.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <utility>

#include "core/seam/record.h"
#include "paths.h"
#include "walks.h"

#ifdef __x86_64__
BOOST_AUTO_TEST_SUITE(watch_walked)

namespace {

using boost::unit_test::description;

std::uint64_t
wrong_in(const std::vector<kept_sample> &all)
{
	std::uint64_t wrong = 0;
	for (const kept_sample &s : all)
		if (!s.user.has("below") || !s.user.has("above") ||
		    !s.user.has("main") || s.user.why != STACK9_WHY_NONE ||
		    (s.user.flags & STACK9_STACK_GUESSED) == 0)
			wrong += s.events;
	return wrong;
}

constexpr std::uint64_t functions = 4096;	// of bare

// Reads until all stacks are walked, has the program go on to its end, and
// answers how many were copied in that time.
std::uint64_t
copied_at_last(watching &w, staged &p)
{
	constexpr std::uint64_t many = 1000;
	p.go();
	stack9::watch_totals before, now = w.tally();
	do {
		before = now;
		(void)w.read(10);
		now = w.tally();
	} while (now.copied != before.copied ||
	    now.walked - before.walked < many);
	w.all_of(p);
	w.end();
	return w.tally().copied - now.copied;
}

// One stack in 64 is copied always, and some are until they are known.  False:
// so many were that the reader got no CPU to learn by.
bool
walks_bare(const char *program)
{
	constexpr std::uint64_t times = 8, signals = times * functions / 16;
	staged p(program, {std::to_string(times)});
	watching w(event, only(p.pid()), roomy());
	const std::uint64_t copied = copied_at_last(w, p);
	const auto events = static_cast<std::uint64_t>(p.truth().at(0));
	BOOST_TEST(events_in(w.samples) == events);
	BOOST_TEST(events_in(w.samples, "above") == events);
	BOOST_TEST(events_in(w.samples, "handler") == signals);
	BOOST_TEST(wrong_in(w.samples) == 0u);
	return copied < functions / 2;
}

} // namespace

BOOST_AUTO_TEST_CASE(frames_of_made_code_are_walked, *needs("bpf") * walks()
    * description("Code that a program has made while it ran is walked, too, "
    "and its stacks have STACK9_STACK_GUESSED, as those of copies have."))
{
	const std::pair<const char *, const char *> all[] = {{"made", "0"},
	    {"made_lean", "0"}, {"made_lean", "1"}};
	for (const auto &[program, heap] : all) {
		staged p(program, {"20000", "0", heap});
		watching w(event, only(p.pid()), roomy());
		w.all_of(p);
		w.end();
		BOOST_TEST(w.tally().walked > 10000u);
		BOOST_TEST(events_in(w.samples) == 20000u);
		BOOST_TEST(wrong_in(w.samples) == 0u);
	}
	const comparing both;
	staged p("made_lean", {"20000"});
	watching w(event, only(p.pid()), roomy());
	w.all_of(p);
	w.end();
	check_compared(w, 20000);
}

// A copy that is unwound after the code has changed may be wrong.
BOOST_AUTO_TEST_CASE(rules_of_made_code_go_with_its_bytes,
    *needs("bpf") * walks()
    * description("A rule of made code is one of the bytes around its pc, and "
    "holds for no other code in the same place."))
{
	constexpr std::uint64_t times = 60000, phases = 4;
	staged p("made_lean", {std::to_string(times), std::to_string(phases)});
	watching w(event, only(p.pid()), roomy());
	w.all_of(p);
	w.end();
	const stack9::watch_totals t = w.tally();
	BOOST_TEST(events_in(w.samples) == times * phases);
	BOOST_TEST(t.walked > times * phases * 3 / 4);
	BOOST_TEST(wrong_in(w.samples) <= t.copied);
}

// The trampoline of signals is such code, too.
BOOST_AUTO_TEST_CASE(code_without_unwind_information_is_known_by_page,
    *needs("bpf") * walks()
    * description("A file's code that nothing describes is walked by its "
    "frame pointers as soon as a pc of its page was met, and its stacks have "
    "that flag, too."))
{
	constexpr int tries = 10;
	for (const char *const program : {"bare", "bare_lean"}) {
		int n = 0;
		while (n < tries && !walks_bare(program))
			n++;
		BOOST_TEST(n < tries);
	}
}

BOOST_AUTO_TEST_CASE(walks_by_code_and_copies_are_the_same,
    *needs("bpf") * walks())
{
	const comparing both;
	staged p("bare_lean", {"2"});
	watching w(event, only(p.pid()), roomy());
	p.go();
	while (w.tally().walked < 1000)
		(void)w.read(10);
	w.all_of(p);
	w.end();
	check_compared(w, static_cast<std::uint64_t>(p.truth().at(0)));
}

BOOST_AUTO_TEST_SUITE_END()
#endif
