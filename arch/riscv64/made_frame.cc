// Recognises no made code on riscv64: its compilers keep the frame pointer.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/made_frame.h"

namespace stack9::unwind {

bool
leave_compiled(memory &, const registers &, registers &) noexcept
{
	return false;
}

} // namespace stack9::unwind
