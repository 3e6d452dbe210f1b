// Names the kinds of programs that a kernel runs: the CPU decides which of them
// a thread's registers belong to.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace stack9::arch {

enum class program_kind : std::uint8_t {
	native,		// built for the CPU that stack9 is built for
	ia32,		// a 32-bit x86 program on x86-64
	unknown,	// any other: stack9 cannot walk its stack
};

} // namespace stack9::arch
