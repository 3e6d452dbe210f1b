// Counts user stacks that are walked by learned rules, at full rate and while
// code, threads, signals and processes come and go, against the truth.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "core/seam/record.h"
#include "paths.h"

BOOST_AUTO_TEST_SUITE(watch_storms)

namespace {

using boost::unit_test::description;

constexpr char event[] = "syscall:getppid";

bool
is_long()
{
	return getenv("STACK9_LONG") != nullptr;
}

// "": this kernel walks user stacks.
std::string
no_walks()
{
	staged p("deep_lean", {"1", "1"});
	watching w(event, only(p.pid()), counted(STACK9_USER));
	w.all_of(p);
	w.end();
	return (w.tally().flags & STACK9_TALLY_NO_WALK) == 0 ? "" :
	    "this kernel does not tell when mappings change";
}

auto
walks()
{
	return unless([] {
		static const std::string lack = no_walks();
		return lack;
	});
}

// Until the first rules are known all stacks are copied.  This ring has room
// for them even if the reader is late.
stack9::watch_sink
roomy()
{
	stack9::watch_sink k = counted(STACK9_USER);
	k.ring = std::size_t{128} << 20;
	return k;
}

// Takes the samples that go through a function; the number of their events.
std::uint64_t
take(std::vector<kept_sample> &from, const std::string &function)
{
	const auto rest = std::partition(from.begin(), from.end(),
	    [&](const kept_sample &s) { return !s.user.has(function); });
	const std::vector<kept_sample> taken(rest, from.end());
	from.erase(rest, from.end());
	return events_in(taken);
}

// False: the reader got no CPU, so that some events had no room or the rules
// were learned late.  This is a failure only if it counts.
bool
all_are_kept_at_full_rate(unsigned paths, bool counts)
{
	staged tree("tree_lean", {std::to_string(paths)});
	watching w(event, only(tree.pid()), roomy());
	const std::uint64_t all = events_of(paths);
	std::uint64_t at_half = 0, copied = 0;
	tree.go();
	while (!tree.done()) {
		w.read(1);
		const stack9::watch_totals t = w.tally();
		if (at_half == 0 && t.events >= all / 2) {
			at_half = t.events;
			copied = t.copied;
		}
	}
	w.end();
	const stack9::watch_totals t = w.tally();
	BOOST_TEST(t.events == all);
	BOOST_TEST(t.kept + t.no_room == all);
	if (t.no_room != 0 && !counts)
		return false;
	BOOST_TEST(t.no_room == 0u);
	BOOST_TEST(t.walked + t.copied == all);
	const ways gone(w.samples);
	BOOST_TEST(gone.lost == 0u);
	BOOST_TEST(gone.wrong(paths).size() == 0u);
	if ((at_half >= all || t.copied != copied) && !counts)
		return false;
	BOOST_TEST(at_half < all);
	BOOST_TEST(t.copied == copied);	// none in the second half
	return true;
}

// Checks the samples of a storm whose events were all kept, and takes those of
// its handler.
void
check_storm(watching &w, unsigned paths, std::uint64_t handled)
{
	BOOST_TEST(take(w.samples, "handler") == handled);
	const ways gone(w.samples);
	BOOST_TEST(gone.wrong(paths, 2).size() == 0u);
	// Stacks that were copied and walked are one, whatever was mapped
	// between them.
	BOOST_TEST(std::count_if(gone.stacks.begin(), gone.stacks.end(),
	    [](const auto &s) { return s.second != 1; }) == 0);
}

// False: the reader got no CPU to learn by.  This is a failure only if it
// counts.
bool
storm_is_counted(unsigned paths, bool counts)
{
	staged p("storm_lean", {STAGED, std::to_string(paths)});
	stack9::watch_filter all_of_them{};
	all_of_them.comm = "storm_lean";
	watching w(event, all_of_them, roomy());
	w.all_of(p);
	w.end();
	const std::uint64_t climbed = 2 * events_of(paths);
	std::uint64_t others = 0;
	for (int i = 0; i < 4; i++)
		others += static_cast<std::uint64_t>(p.truth().at(
		    static_cast<std::size_t>(i)));
	const stack9::watch_totals t = w.tally();
	BOOST_TEST_MESSAGE(t.events << " events, " << t.walked << " walked, " <<
	    t.copied << " copied, libraries, signals, forks, execs, at one "
	    "address: " << p.truth()[0] << " " << p.truth()[1] << " " <<
	    p.truth()[2] << " " << p.truth()[3] << " " << p.truth()[4]);
	BOOST_TEST(t.kept + t.no_room == t.events);
	BOOST_TEST(p.truth()[4] > 0);
	BOOST_TEST(t.events + t.skipped >= climbed + others);
	// A kernel that preempts programs does not show them all events, and
	// on a busy machine some have no room.
	if (t.skipped == 0 && t.no_room == 0) {
		BOOST_TEST(t.events == climbed + others);
		check_storm(w, paths, static_cast<std::uint64_t>(
		    p.truth()[1]));
	}
	if (t.walked <= climbed / 2 && !counts)
		return false;
	BOOST_TEST(t.walked > climbed / 2);
	return true;
}

} // namespace

BOOST_AUTO_TEST_CASE(distinct_stacks_at_full_rate, *needs("bpf") * walks()
    * description("copied: The user stacks that were copied: those whose "
    "rules were not published yet, and those that no rule can walk"))
{
	// A reader that gets no CPU for long loses events, and says so, or
	// learns late.
	for (int tries = 3; !all_are_kept_at_full_rate(64000, tries == 0);
	    tries--)
		;
}

// Most processes of this storm live for one event.  It is copied.
BOOST_AUTO_TEST_CASE(code_signals_and_processes_come_and_go,
    *needs("bpf") * walks())
{
	const unsigned paths = is_long() ? 64000 : 8000;
	for (int tries = 3; !storm_is_counted(paths, tries == 0); tries--)
		;
}

BOOST_AUTO_TEST_CASE(copies_of_a_storm_are_the_same, *needs("bpf") * walks()
    * description("STACK9_WALK, compare: walks user stacks and copies them, "
    "too"))
{
	setenv("STACK9_WALK", "compare", 1);
	staged p("storm_lean", {STAGED, is_long() ? "16000" : "2000"});
	stack9::watch_filter all_of_them{};
	all_of_them.comm = "storm_lean";
	watching w(event, all_of_them, roomy());
	unsetenv("STACK9_WALK");
	w.all_of(p);
	w.end();
	const stack9::watch_totals t = w.tally();
	BOOST_TEST(t.walked > 0u);
	BOOST_TEST(t.differing == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
