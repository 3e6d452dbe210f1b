// Captures by backward-cpp.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <backward.hpp>

#include "backtraces.h"

namespace backtraces {

std::span<const by>
of_library()
{
	static constexpr by all[] = {
		{"backward load_here", [] {
			backward::StackTrace st;
			return static_cast<int>(st.load_here(128));
		}},
	};
	return all;
}

} // namespace backtraces
