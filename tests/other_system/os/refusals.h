// Says in words what this system does not report.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9 {

inline constexpr const char maps_refused[] = "its mappings cannot be read";
inline constexpr const char *no_threads = "this system lists no threads";

inline const char *
unsupported() noexcept
{
	return "this machine cannot do it";
}

} // namespace stack9
