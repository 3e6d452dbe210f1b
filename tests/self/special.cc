// Tests steps out of signal frames that are made by hand.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstdint>

#include "unwind/stacks.h"
#include "unwind/step_special.h"

namespace unwind = stack9::unwind;

// A frame that leads to itself, or inwards, would be walked for ever.
BOOST_AUTO_TEST_CASE(what_a_signal_interrupted_is_further_out)
{
	// All of it is in one page: that is what is known of the stack.
	alignas(4096) std::array<std::uintptr_t, 512> words{};
	const auto at = reinterpret_cast<std::uintptr_t>(&words[64]);
	const auto put = [&](std::size_t place, std::uintptr_t word) {
		words[64 + place / 8] = word;
	};
	for (const std::intptr_t away : {-256, -8, 0, 8, 1024}) {
		unwind::stacks known;
		unwind::range *stack = &known.enter(at);
		const std::uintptr_t sp = at +
		    static_cast<std::uintptr_t>(away);
		unwind::position p{1, at, &words[0], false, false};
		BOOST_REQUIRE(stack->holds(sp));
		put(unwind::signal_pc, 0x1234);
		put(unwind::signal_sp, sp);
		const auto how = unwind::step_special(
		    unwind::rule(unwind::kind::signal), known, stack, p);
		BOOST_TEST((how == unwind::special_outcome::stepped) ==
		    (away > 0));
		BOOST_TEST(p.sp == (away > 0 ? sp : at));
		BOOST_TEST(p.pc == (away > 0 ? 0x1234u : 1u));
	}
}
