// Prints what a capture of each kind costs here.  It asserts nothing.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "harness.h"

namespace {

// The lowest and the median of many short rounds: the machine has other work.
struct cost {
	double lowest, median;
};

template <typename F>
cost
nanoseconds(int count, F f)
{
	std::vector<double> rounds;
	for (int round = 0; round < 501; round++) {
		const auto before = std::chrono::steady_clock::now();
		for (int i = 0; i < count; i++)
			f();
		const std::chrono::duration<double, std::nano> took =
		    std::chrono::steady_clock::now() - before;
		rounds.push_back(took.count() / count);
	}
	std::sort(rounds.begin(), rounds.end());
	return {rounds.front(), rounds[rounds.size() / 2]};
}

[[gnu::noinline]] void
descend(int depth, std::uint32_t max)
{
	if (depth > 0) {
		descend(depth - 1, max);
		asm volatile("" ::: "memory");
		return;
	}
	capture c(max);
	for (stack9::own_route *r : own_routes()) {
		const cost ns = nanoseconds(20, [&] { c.save(*r, {}); });
		fmt::print("own stack by {}, {} frames: {:.0f} ns, median "
		    "{:.0f}\n", r->name, c.rec.depth, ns.lowest, ns.median);
	}
}

void
sibling(const char *route, deed what, const char *word)
{
	victim v(lean::obey, what);
	if (what < deed::spin)
		v.await_sleep();
	capture c(18);
	const any_route r = route_named(route);
	int refused = 0;
	const cost ns = nanoseconds(4, [&] {
		refused += c.save(r, v.thread()) != 0;
	});
	fmt::print("{} sibling by {}, {} frames: {:.1f} us, median {:.1f}; "
	    "{} of 2004 refused\n", word, route, c.rec.depth, ns.lowest / 1000,
	    ns.median / 1000, refused);
}

} // namespace

int
main()
{
	descend(14, 18);
	descend(30, 18);
	descend(64, 64);
	descend(200, 127);
	sibling("registers", deed::read, "a sleeping");
	sibling("signal", deed::spin, "a spinning");
	sibling("signal", deed::spin_syscall, "a syscall-spinning");
	sibling("registers", deed::sem, "a sleeping");
	sibling("registers", deed::spin, "a spinning");
}
