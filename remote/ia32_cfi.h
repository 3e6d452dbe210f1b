// Unwind information of 32-bit x86 code, by libdw: unwind/ knows the registers
// and the words of one CPU, which is another one here.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>

#include "unwind/full.h"

#include "process/file.h"

namespace stack9::process {

// By their DWARF numbers: eax, ecx, edx, ebx, esp, ebp, esi, edi, eip.
struct ia32_registers {
	static constexpr int count = 9, sp = 4, fp = 5, pc = 8;

	std::array<std::uint32_t, count> value{};
	std::uint32_t	known = 0;	// a bit for each that is
	bool		exact = false;	// pc is no return address

	bool
	knows(int number) const noexcept
	{
		return number >= 0 && number < count &&
		    (known >> number & 1) != 0;
	}
	std::uint32_t
	operator[](int number) const noexcept
	{
		return value[static_cast<std::size_t>(number)];
	}
	void
	set(int number, std::uint32_t v) noexcept
	{
		value[static_cast<std::size_t>(number)] = v;
		known |= 1u << number;
	}
};

// Takes the frame to its caller's by the file that its code is from; lookup is
// the pc's p_vaddr there, less 1 for a return address.  On any other outcome
// than stepped the registers are as they were.
unwind::outcome ia32_step(file &, std::uint64_t lookup, unwind::memory &,
    ia32_registers &) noexcept;

} // namespace stack9::process
