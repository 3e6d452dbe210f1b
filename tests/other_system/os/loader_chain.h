// Says that what no list has is in no module that this system knows.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "loaded_objects.h"

namespace stack9 {

inline bool
find_in_chain(std::uintptr_t, loaded_module &) noexcept
{
	return false;
}

} // namespace stack9
