// Describes x86-64 for walks that are made on any CPU (arch/described.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <elf.h>

#include "unwind/memory.h"
#include "unwind/other_registers.h"

namespace stack9::arch {

// Recognises the instructions of x86, 32 and 64 bits.
struct x86_code {
	static constexpr int lr = -1;
	static constexpr bool calls_push = true, pair_ends_frame = true;
	static constexpr std::size_t shortest = 2, relative = 5, longest = 7,
	    page_min = 4096;

	// Returns the length of FF /2 with its opcode; 0: it is another
	// instruction.
	static std::size_t
	indirect_length(const std::uint8_t *code, std::size_t size) noexcept
	{
		if (code[0] != 0xff || (code[1] >> 3 & 7) != 2)
			return 0;
		const int mod = code[1] >> 6, rm = code[1] & 7;
		const bool sib = mod != 3 && rm == 4;
		const bool no_base = rm == 5 ||
		    (sib && size > 2 && (code[2] & 7) == 5);
		return std::size_t{2} + sib + (mod == 1 ? 1 :
		    mod == 2 || (mod == 0 && no_base) ? 4 : 0);
	}

	// E8 rel32 and FF /2 are the only calls that 64-bit code uses.
	static bool
	behind_call(unwind::memory &words, std::uintptr_t address) noexcept
	{
		std::uint8_t code[longest];
		std::size_t size = longest;
		if (!words.read(address - size, code, size)) {
			size = std::min(longest, address % page_min);
			if (size < shortest ||
			    !words.read(address - size, code, size))
				return false;
		}
		if (size >= relative && code[size - relative] == 0xe8)
			return true;
		for (std::size_t n = shortest; n <= size; n++)
			if (indirect_length(code + size - n, n) == n)
				return true;
		return false;
	}

	// The instructions are xor %ebp,%ebp and its other encodings: a prefix
	// makes it xor %rbp,%rbp.  musl's _start has the most bytes after it,
	// 22 with the call.
	static bool
	begins_stack(unwind::memory &words, std::uintptr_t address) noexcept
	{
		std::uint8_t code[24];
		if (!words.read(address - sizeof code, code, sizeof code))
			return false;
		for (std::size_t n = 0; n + 1 < sizeof code; n++)
			if ((code[n] == 0x31 || code[n] == 0x33) &&
			    code[n + 1] == 0xed)
				return true;
		return false;
	}
};

struct x86_64 : x86_code {
	using word = std::uint64_t;
	using registers = unwind::other_registers<word, 17, 7, 6, 16>;
	static constexpr int sp = registers::sp, fp = registers::fp,
	    pc = registers::pc;
	static constexpr int machine = EM_X86_64;
	static constexpr bool is_64 = true;
	// rbx, rbp, rsp, and r12 to r15
	static constexpr std::uint64_t kept = 1 << 3 | 1 << 6 | 1 << 7 |
	    0xf << 12;
	static constexpr std::size_t red_zone = 128;

	// user_regs_struct (sys/user.h).
	static constexpr std::size_t core_bytes = 216;
	static constexpr std::array<std::uint8_t, 17> core_order{
		10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16,
	};

	// mov $__NR_rt_sigreturn,%rax; syscall, with the ucontext_t at sp: its
	// words from r8 on.
	static constexpr std::array<std::uint8_t, 9> trampoline{
		0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05,
	};
	static constexpr std::size_t
	signal_slot(int number) noexcept
	{
		constexpr std::array<std::uint8_t, 17> order{
			13, 12, 14, 11, 9, 8, 10, 15, 0, 1, 2, 3, 4, 5, 6, 7,
			16,
		};
		constexpr std::size_t context = 40;
		return context + order[static_cast<std::size_t>(number)] *
		    sizeof(word);
	}
	static word strip(word ra) noexcept { return ra; }
};

} // namespace stack9::arch
