// Reads the factor of all budgets from the environment.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <charconv>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "budgets.h"

namespace stack9::budgets {

// Takes STACK9_LIMITS, a number that is more than 0 or "none"; another value
// changes nothing.  A program with file capabilities does not let its caller
// choose.
inline void
take_environment() noexcept
{
	const char *const given = secure_getenv("STACK9_LIMITS");
	const std::string_view text(given != nullptr ? given : "");
	float by = 0;
	if (text == "none")
		by = std::numeric_limits<float>::infinity();
	else if (const auto [end, error] = std::from_chars(text.data(),
	    text.data() + text.size(), by, std::chars_format::fixed);
	    error != std::errc() || end != text.data() + text.size())
		return;
	if (by > 0)
		factor.store(by, std::memory_order_relaxed);
}

} // namespace stack9::budgets
