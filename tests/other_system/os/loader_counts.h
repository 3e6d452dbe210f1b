// Says that this system's loader counts nothing that can be watched.  Lists of
// modules stay true, because none is ever unloaded.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9 {

template <class F>
bool
each_loader_count(F) noexcept
{
	return true;
}

} // namespace stack9
