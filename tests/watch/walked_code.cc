// Tests walks by learned rules through code without unwind information.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdlib>
#include <utility>

#include <unistd.h>

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

// A run of made, of which more than a bound of stacks are walked.
struct made_run {
	const char	*program, *heap;
	std::uint64_t	 times, phases, bound;
};

// A copy that is unwound after the code has changed may be wrong.  False: the
// reader got no CPU to learn by, or some events were lost.  This is a failure
// only if it counts.
bool
walks_made(const made_run &r, bool counts)
{
	const std::uint64_t all = r.times * std::max(r.phases,
	    std::uint64_t{1});
	staged p(r.program, {std::to_string(r.times),
	    std::to_string(r.phases), r.heap});
	watching w(event, only(p.pid()), roomy());
	w.all_of(p);
	w.end();
	const stack9::watch_totals t = w.tally();
	BOOST_TEST(t.events <= all);
	BOOST_TEST(t.events + t.skipped >= all);
	BOOST_TEST(t.kept + t.no_room == t.events);
	BOOST_TEST(events_in(w.samples) == t.kept);
	BOOST_TEST(wrong_in(w.samples) <= (r.phases == 0 ? 0 : t.copied));
	if ((t.kept != all || t.walked <= r.bound) && !counts)
		return false;
	BOOST_TEST(t.walked > r.bound);
	BOOST_TEST(events_in(w.samples) == all);
	return true;
}

void
check_made(const made_run &r)
{
	for (int tries = 9; !walks_made(r, tries == 0); tries--)
		;
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

// A loaded machine may give the reader no CPU while the program runs.
constexpr int tries = 100;

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

// Code of a file that was written over is walked by its own rules once it is
// known as another file, never by the rules of before or by the words of the
// last stack.
// False: few were walked before that, as the reader got no CPU to learn by.
bool
walks_patched(const std::string &file)
{
	constexpr std::uint64_t times = 6, calls = 4000;
	staged p("patches_lean", {STAGED, file, std::to_string(times),
	    std::to_string(calls)});
	watching w(event, only(p.pid()), roomy());
	w.all_of(p);
	w.end();
	const stack9::watch_totals t = w.tally();
	BOOST_TEST(t.events <= times * calls);
	BOOST_TEST(t.events + t.skipped >= times * calls);
	BOOST_TEST(t.kept + t.no_room == t.events);
	BOOST_TEST(events_in(w.samples, "main") >= t.walked);
	for (const kept_sample &k : w.samples)
		if (k.user.why == STACK9_WHY_NONE)
			BOOST_TEST(k.user.has("main"));
	return t.walked > calls / 4;
}

// Only the plain stacks lead to main().  False: a reader that got no CPU
// learned nothing, and none was walked.
bool
walks_plain()
{
	constexpr std::uint64_t times = 20000;
	staged p("astray_lean", {std::to_string(times)});
	watching w(event, only(p.pid()), roomy());
	w.all_of(p);
	w.end();
	const stack9::watch_totals t = w.tally();
	std::uint64_t led = 0, wrong = 0;
	for (const kept_sample &k : w.samples) {
		led += k.user.has("main") ? k.events : 0;
		wrong += !k.user.has("plain") && (k.user.has("main") ||
		    k.user.why == STACK9_WHY_NONE) ? k.events : 0;
	}
	BOOST_TEST(t.events <= 3 * times);
	BOOST_TEST(t.events + t.skipped >= 3 * times);
	BOOST_TEST(wrong == 0u);
	BOOST_TEST(led <= times);
	BOOST_TEST(led + t.skipped + t.no_room >= times);
	return t.walked > times / 2;
}

} // namespace

BOOST_AUTO_TEST_CASE(what_leads_nowhere_is_not_walked, *needs("bpf") * walks()
    * description("Each frame is left as unwind/ leaves it, or the walk ends "
    "and has no result"))
{
	int n = 0;
	while (n < tries && !walks_plain())
		n++;
	BOOST_TEST(n < tries);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_written_over_has_other_rules,
    *needs("bpf") * walks()
    * description("The kernel confirms each mapping before it is used, and "
    "again after any change of the process's mappings"))
{
	char file[] = "/tmp/stack9-patched-XXXXXX";
	BOOST_REQUIRE(close(mkstemp(file)) == 0);
	int n = 0;
	while (n < tries && !walks_patched(file))
		n++;
	BOOST_TEST(n < tries);
	unlink(file);
}

BOOST_AUTO_TEST_CASE(frames_of_made_code_are_walked, *needs("bpf") * walks()
    * description("Code that a program has made while it ran is walked, too, "
    "and its stacks have STACK9_STACK_GUESSED, as those of copies have."))
{
	const std::pair<const char *, const char *> all[] = {{"made", "0"},
	    {"made_lean", "0"}, {"made_lean", "1"}};
	for (const auto &[program, heap] : all)
		check_made({program, heap, 20000, 0, 10000});
	const comparing both;
	staged p("made_lean", {"60000"});
	watching w(event, only(p.pid()), roomy());
	w.all_of(p);
	w.end();
	check_compared(w, 60000);
}

BOOST_AUTO_TEST_CASE(rules_of_made_code_go_with_its_bytes,
    *needs("bpf") * walks()
    * description("A rule of JIT code is one of the bytes around its pc, and "
    "holds for no other code in the same place."))
{
	constexpr std::uint64_t times = 60000, phases = 4;
	check_made({"made_lean", "0", times, phases, times * phases * 3 / 4});
}

// The trampoline of signals is such code, too.
BOOST_AUTO_TEST_CASE(code_without_unwind_information_is_known_by_page,
    *needs("bpf") * walks()
    * description("A file's code that nothing describes is walked by its "
    "frame pointers as soon as a pc of its page was met, and its stacks have "
    "that flag, too."))
{
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
