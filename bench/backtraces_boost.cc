// Captures by Boost.Stacktrace.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/stacktrace.hpp>

#include "backtraces.h"

namespace backtraces {

std::span<const by>
of_library()
{
	static constexpr by all[] = {
		{"boost stacktrace", [] {
			return static_cast<int>(
			    boost::stacktrace::stacktrace().size());
		}},
		{"boost safe_dump_to", [] {
			static void *to[130];
			return static_cast<int>(boost::stacktrace::safe_dump_to(
			    to, sizeof to)) - 1;
		}},
	};
	return all;
}

} // namespace backtraces
