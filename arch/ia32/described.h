// Describes 32-bit x86 for walks that are made on any CPU (arch/described.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "arch/x86_64/described.h"

namespace stack9::arch {

// The registers are eax, ecx, edx, ebx, esp, ebp, esi, edi and eip.
struct ia32 : x86_code {
	using word = std::uint32_t;
	using registers = unwind::other_registers<word, 9, 4, 5, 8>;
	static constexpr int sp = registers::sp, fp = registers::fp,
	    pc = registers::pc;
	static constexpr int machine = EM_386;
	static constexpr bool is_64 = false;
	// ebx, ebp, esi, edi
	static constexpr std::uint64_t kept = 1 << 3 | 1 << 5 | 1 << 6 | 1 << 7;
	static constexpr std::size_t red_zone = 0;

	// asm/user_32.h of the kernel.
	static constexpr std::size_t core_bytes = 68;
	static constexpr std::array<std::uint8_t, 9> core_order{
		6, 1, 2, 0, 15, 5, 3, 4, 12,
	};

	// The C library and the vdso have unwind information for theirs.
	static constexpr std::array<std::uint8_t, 0> trampoline{};
	static constexpr std::size_t signal_slot(int) noexcept { return 0; }
	static word strip(word ra) noexcept { return ra; }
};

} // namespace stack9::arch
