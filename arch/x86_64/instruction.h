// Declares instructions of x86-64 in their parts.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace stack9::unwind {

inline constexpr std::size_t instruction_max = 15;	// bytes

struct instruction {
	static constexpr int none = -1;

	std::size_t	length = 0;
	unsigned int	op = 0;	// two bytes: 0x0fxx; three: 0x38xx, 0x3axx
	bool		w = false;	// REX.W: 64 bits
	bool		vex = false;
	bool		has_modrm = false;
	int		reg = none;	// of ModRM, or in the opcode
	int		extension = none;	// of the opcode, in ModRM
	int		rm = none;	// a register; none: memory
	int		base = none;	// of memory; none: another way
	std::int64_t	displacement = 0;	// with the base alone
	std::int64_t	immediate = 0;

	// Returns true if memory is named by a base register and a distance.
	bool is_at(int register_) const noexcept { return base == register_; }
};

// Takes the first instruction apart.  False: it is not known, or cut off.
bool decode(std::span<const std::uint8_t> code, instruction &) noexcept;

} // namespace stack9::unwind
