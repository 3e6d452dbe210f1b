// Prints a message of stackrecord's, and has its unit of time.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "tools/lib/clock.h"
#include "tools/lib/say.h"

namespace stackrecord {

inline constexpr std::uint64_t second = 1'000'000'000;

inline std::uint64_t
monotonic_ns()
{
	return tools::clock_ns(CLOCK_MONOTONIC);
}

template <typename... T>
void
say(fmt::format_string<T...> text, T &&...args)
{
	tools::say("stackrecord", fmt::format(text, std::forward<T>(args)...));
}

} // namespace stackrecord
