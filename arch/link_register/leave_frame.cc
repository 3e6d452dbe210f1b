// Leaves no frame by its instructions on aarch64 and riscv64: compilers of made
// code keep the frame pointer there.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "unwind/call.h"
#include "unwind/leave_frame.h"

namespace stack9::unwind {

bool
leave_compiled(memory &, const registers &, registers &) noexcept
{
	return false;
}

bool
leave_returning(memory &, const registers &, registers &) noexcept
{
	return false;
}

bool
leave_by_code(memory &, const registers &, registers &) noexcept
{
	return false;
}

bool
takes_stack(memory &, std::uintptr_t) noexcept
{
	return false;
}

} // namespace stack9::unwind
