// Follows no instructions on aarch64.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/made_frame.h"

namespace stack9::unwind {

bool
leave_returning(memory &, const registers &, registers &) noexcept
{
	return false;
}

} // namespace stack9::unwind
