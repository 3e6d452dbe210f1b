// Tests a frame that is met again, by another kind of step than the last time:
// what is remembered of the way to it must be of the last way.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <alloca.h>

#include "core/seam/record.h"
#include "robust_child.h"
#include "robust_truth.h"

using boost::unit_test::description;

namespace {

frames ours, theirs;
stack9::stack_record rec;
void *innermost;	// sp where the last capture was made

[[gnu::always_inline]] inline void
capture(void *sp)
{
	innermost = sp;
	OUR_FRAMES(ours, rec);
	TRUE_FRAMES(theirs);
}

// The rest of the way, and how much stack a function is to take besides.
struct way;
using function = void (*)(const way *);
struct way {
	function	call;
	std::size_t	more;
};

[[gnu::always_inline]] inline void
go_on(const way *w, void *sp)
{
	if (w->call != nullptr)
		w->call(w);
	else
		capture(sp);
}

// The caller is found by sp, ...
[[gnu::noinline]] void
by_sp(const way *w)
{
	char frame[16];
	keep(frame);
	go_on(w + 1, frame);
	keep(frame);
}

// ... the same with another frame, ...
[[gnu::noinline]] void
by_sp_further(const way *w)
{
	char frame[144];
	keep(frame);
	go_on(w + 1, frame);
	keep(frame);
}

// ... by fp, ...
[[gnu::noinline]] void
by_fp(const way *w)
{
	void *const memory = alloca(w->more);
	keep(memory);
	go_on(w + 1, memory);
	keep(memory);
}

// ... or by a word of its own, for the arguments lie where neither leads.
[[gnu::noinline]] void
realigned(const way *w)
{
	alignas(64) char frame[64];
	void *const memory = alloca(w->more);
	keep(frame);
	keep(memory);
	go_on(w + 1, memory);
	keep(memory);
	keep(frame);
}

void
must_be_true(const char *where)
{
	must(rec.error == 0 && rec.why == STACK9_WHY_NONE, "all is found");
	must(near(ours.pcs[0], theirs.pcs[0]), "the first is where it was");
	must_equal(where, ours, 1, theirs, 1);
}

// From one call site, from which all ways go out.
[[gnu::noinline]] void
travel(const char *where, const std::vector<way> &ways)
{
	ways.front().call(ways.data());
	must_be_true(where);
}

constexpr way there{nullptr, 0};

// By one function; by another with much stack; by it with less stack, but with
// one more outside it, so that the innermost frame is where it was.
bool
meet_again(function first, function second, function between, std::size_t more)
{
	constexpr std::size_t less = 16;
	travel("the first way", {{first, less}, there});
	travel("another way", {{second, less + more}, there});
	const void *const before = innermost;
	travel("a longer way", {{between, less}, {second, less}, there});
	return innermost == before;
}

void
meet_by_all()
{
	for (function first : {by_sp, by_sp_further, by_fp, realigned})
		for (function second : {by_fp, realigned})
			for (function between : {by_sp, by_sp_further, by_fp,
			    realigned}) {
				int alike = 0;
				for (std::size_t more = 0; more < 512;
				    more += 16)
					alike += meet_again(first, second,
					    between, more);
				must(alike > 0,
				    "the innermost frame is where it was");
			}
}

// Any way, of which some is that of the last time.
void
meet_at_random()
{
	constexpr function all[] = {by_sp, by_sp_further, by_fp, realigned};
	std::minstd_rand random(8);
	std::vector<way> ways;
	for (int i = 0; i < 20000; i++) {
		ways.resize(std::min<std::size_t>(ways.size(), random() % 8));
		do
			ways.push_back({all[random() % 4], random() % 8 * 16});
		while (ways.size() < 8 && random() % 4 != 0);
		ways.push_back(there);
		travel("a way at random", ways);
		ways.pop_back();
	}
}

} // namespace

BOOST_AUTO_TEST_SUITE(meeting)

BOOST_AUTO_TEST_CASE(a_frame_met_by_another_kind_of_step_hides_no_caller,
    *description("Captures the calling thread's own user stack, from the "
    "caller of this call outwards"))
{
	BOOST_TEST(in_child(meet_by_all) == "");
}

BOOST_AUTO_TEST_CASE(frames_that_change_their_kind_of_step_are_right_each_time)
{
	BOOST_TEST(in_child(meet_at_random) == "");
}

BOOST_AUTO_TEST_SUITE_END()
