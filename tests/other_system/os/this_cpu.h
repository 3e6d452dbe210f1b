// Says that this system does not report the CPU.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9 {

inline int
this_cpu() noexcept
{
	return -1;
}

} // namespace stack9
