// Tests stacks that resemble the last one: what is remembered must not be
// believed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include "core/seam/record.h"
#include "robust_child.h"
#include "robust_truth.h"

using boost::unit_test::description;

namespace {

// The way of a walk: each step calls the function of its number.
struct itinerary {
	std::vector<int>	 steps;
	std::size_t		 at = 0;
	void			*bottom = nullptr;	// sp there
};

void next(itinerary &);

template <int N>
[[gnu::noinline]] void
step(itinerary &it)
{
	char frame[64 * (N + 1)];
	keep(frame);
	next(it);
	keep(frame);
}

[[gnu::noinline]] void
arrive(itinerary &it)
{
	it.bottom = __builtin_frame_address(0);
	must_agree("among stacks alike");
}

void
next(itinerary &it)
{
	using call = void (*)(itinerary &);
	static const call calls[] = {step<0>, step<1>, step<2>, step<3>};
	if (it.at == it.steps.size())
		arrive(it);
	else
		calls[it.steps[it.at++]](it);
	keep(nullptr);
}

// Always the same steps, in another order outside: the inner frames are the
// same, at the same places, and what is outside them is not.
void
change_outside()
{
	std::minstd_rand random(6);
	void *last = nullptr;
	int alike = 0;
	for (int i = 0; i < 20000; i++) {
		itinerary it{{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 2, 1, 2}};
		std::shuffle(it.steps.begin(), it.steps.begin() +
		    static_cast<long>(random() % 13), random);
		next(it);
		alike += it.bottom == last;
		last = it.bottom;
	}
	must(alike > 15000, "the innermost frame is where it was");
}

// Any steps, any number of them.
void
change_anything()
{
	std::minstd_rand random(7);
	itinerary it;
	for (int i = 0; i < 20000; i++) {
		const std::size_t kept = std::min<std::size_t>(it.steps.size(),
		    random() % 60);
		it.steps.resize(kept);
		while (random() % 8 != 0 && it.steps.size() < 60)
			it.steps.push_back(static_cast<int>(random() % 4));
		it.at = 0;
		next(it);
	}
}

std::uintptr_t *slot;	// of a return address far out

[[gnu::noinline]] void
capture_changed(void *other)
{
	static frames before, after;
	static stack9::stack_record rec;
	frames *const both[] = {&before, &after};
	const std::uintptr_t kept = *slot;
	for (frames *f : both) {
		*slot = f == &before ? kept :
		    reinterpret_cast<std::uintptr_t>(other);
		OUR_FRAMES(*f, rec);
	}
	*slot = kept;
	must(before.depth == after.depth, "the stack is as deep as before");
	int changed = 0;
	for (std::uint32_t i = 0; i < before.depth; i++)
		changed += before.pcs[i] != after.pcs[i];
	must(changed == 1, "the changed return address is seen");
}

std::uintptr_t call_ends[2];

// Two calls of it, with the same frame around.
[[gnu::noinline]] void
from_two_places(int which, bool look)
{
	slot = static_cast<std::uintptr_t *>(__builtin_frame_address(0)) + 1;
	call_ends[which] = *slot;
	if (look)
		under(20, capture_changed,
		    reinterpret_cast<void *>(call_ends[1 - which]));
	keep(nullptr);
}

[[gnu::noinline]] void
two_places(bool look)
{
	from_two_places(0, false);
	asm volatile("nop; nop" ::: "memory");
	from_two_places(1, look);
	keep(nullptr);
}

} // namespace

BOOST_AUTO_TEST_SUITE(changes)

BOOST_AUTO_TEST_CASE(stacks_alike_inside_are_reported_apart_outside)
{
	BOOST_TEST(in_child(change_outside) == "");
}

BOOST_AUTO_TEST_CASE(stacks_that_change_anywhere_are_right_each_time)
{
	BOOST_TEST(in_child(change_anything) == "");
}

BOOST_AUTO_TEST_CASE(a_return_address_changed_in_place_is_seen)
{
	BOOST_TEST(in_child([] {
		for (int i = 0; i < 3; i++)
			two_places(true);
	}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
