// Describes aarch64 for walks that are made on any CPU (arch/described.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <elf.h>

#include "unwind/memory.h"
#include "unwind/other_registers.h"

namespace stack9::arch {

struct aarch64 {
	using word = std::uint64_t;
	using registers = unwind::other_registers<word, 33, 31, 29, 32>;
	static constexpr int sp = registers::sp, fp = registers::fp,
	    pc = registers::pc, lr = 30;
	static constexpr int machine = EM_AARCH64;
	static constexpr bool is_64 = true, calls_push = false,
	    pair_ends_frame = false;
	static constexpr std::uint64_t kept = 0x7ffull << 19 | 1ull << sp;
	static constexpr std::size_t red_zone = 0;

	// x0 to x30, sp, pc and the flags.
	static constexpr std::size_t core_bytes = 272;
	static constexpr std::array<std::uint8_t, 33> core_order = [] {
		std::array<std::uint8_t, 33> order{};
		for (std::size_t n = 0; n < order.size(); n++)
			order[n] = static_cast<std::uint8_t>(n);
		return order;
	}();

	// mov x8, #__NR_rt_sigreturn; svc #0, with a siginfo_t at sp and the
	// ucontext_t after it.
	static constexpr std::array<std::uint8_t, 8> trampoline{
		0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4,
	};
	static constexpr std::size_t
	signal_slot(int number) noexcept
	{
		constexpr std::size_t siginfo = 128, context = 184;
		return siginfo + context +
		    static_cast<std::size_t>(number) * sizeof(word);
	}

	// The signature is in the bits that addresses do not use.  Linux gives
	// a program no code at 2^48 and above unless it asks for that.
	static word
	strip(word ra) noexcept
	{
		constexpr word address = (word{1} << 48) - 1;
		return ra & address;
	}

	// bl, blr, and the forms of blr that authenticate.
	static bool
	behind_call(unwind::memory &words, std::uintptr_t address) noexcept
	{
		std::uint32_t code;
		if (address % sizeof code != 0 || !words.read(
		    address - sizeof code, &code, sizeof code))
			return false;
		return (code & 0xfc000000) == 0x94000000 ||
		    (code & 0xfefff000) == 0xd63f0000;
	}

	// musl's clone() does not clear x29; it makes the system call exit
	// then.
	static bool
	begins_stack(unwind::memory &words, std::uintptr_t address) noexcept
	{
		constexpr std::uint32_t mov_x29_0 = 0xd280001d,
		    mov_x29_xzr = 0xaa1f03fd, mov_x8_exit = 0xd2800ba8;
		constexpr std::size_t before = 8;
		std::uint32_t code[before];
		if (address % sizeof *code != 0)
			return false;
		if (words.read(address, code, sizeof *code) &&
		    *code == mov_x8_exit)
			return true;
		if (!words.read(address - sizeof code, code, sizeof code))
			return false;
		for (const std::uint32_t c : code)
			if (c == mov_x29_0 || c == mov_x29_xzr)
				return true;
		return false;
	}
};

} // namespace stack9::arch
