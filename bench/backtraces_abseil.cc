// Captures by abseil.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <absl/debugging/stacktrace.h>

#include "backtraces.h"

namespace backtraces {

std::span<const by>
of_library()
{
	static constexpr by all[] = {
		{"absl GetStackTrace", [] {
			static void *to[128];
			return absl::GetStackTrace(to, 128, 0);
		}},
	};
	return all;
}

} // namespace backtraces
