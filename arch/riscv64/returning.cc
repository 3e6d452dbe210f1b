// Follows no instructions on riscv64.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/returning.h"

namespace stack9::unwind {

bool
leave_returning(memory &, const registers &, registers &) noexcept
{
	return false;
}

} // namespace stack9::unwind
