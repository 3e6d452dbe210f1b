// Captures by gperftools, by the unwinder of TCMALLOC_STACKTRACE_METHOD.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <gperftools/stacktrace.h>

#include "backtraces.h"

namespace backtraces {

std::span<const by>
of_library()
{
	static constexpr by all[] = {
		{"gperftools", [] {
			static void *to[128];
			return GetStackTrace(to, 128, 0);
		}},
	};
	return all;
}

} // namespace backtraces
