// Reads the registers of a core's thread, by its CPU's description.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstring>

#include "arch/cpu.h"
#include "arch/described.h"
#include "core/seam/user_copy.h"

#include "contents.h"

namespace stack9::cores {

// Gives the word of a register by its DWARF number.
template <class Cpu>
typename Cpu::word
register_of(const thread &t, int number) noexcept
{
	typename Cpu::word w;
	static_assert(Cpu::core_bytes <= registers_max);
	std::memcpy(&w, t.registers + sizeof w * Cpu::core_order[
	    static_cast<std::size_t>(number)], sizeof w);
	return w;
}

// Says how a copy of a thread of this machine is to be walked.
inline user_copy::machine
kind_of_copy(int machine) noexcept
{
	return machine == unwind::elf_machine ? user_copy::machine::native :
	    machine == EM_386 ? user_copy::machine::ia32 :
	    machine == EM_AARCH64 ? user_copy::machine::aarch64 :
	    user_copy::machine::x86_64;
}

} // namespace stack9::cores
