// Helps to make rules from rows on every CPU.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "cursor.h"
#include "row.h"

namespace stack9::unwind {

inline const place &
place_of(const row &r, int number) noexcept
{
	return r.places[static_cast<std::size_t>(number)];
}

inline bool
is_kept(const place &p) noexcept
{
	return p.what == place::unspecified || p.what == place::same;
}

// Returns true if a rule can hold the offset, in words; it cannot hold 0.
inline bool
fits(std::int64_t bytes) noexcept
{
	return bytes > 0 && bytes % 8 == 0 && bytes / 8 <= rule::field_max;
}

// Returns true if the expression begins with DW_OP_breg number, and then reads
// that operation and its offset.
inline bool
takes_base(cursor &c, int number, std::int64_t &offset) noexcept
{
	constexpr std::uint8_t breg0 = 0x70;

	if (c.fixed<std::uint8_t>() != breg0 + number)
		return false;
	offset = c.sleb();
	return c.ok();
}

// Returns true if the expression says only that the register is found at base +
// offset, where base is a register.
inline bool
is_at(const place &p, int base, std::int64_t offset) noexcept
{
	cursor c(p.bytes());
	std::int64_t n = 0;

	return p.what == place::expression && takes_base(c, base, n) &&
	    n == offset && c.left() == 0;
}

// Returns true if the row is the kernel's signal frame as
// describe_signal_frame() (row_here.cc) makes it: places above sp.
inline bool
is_plain_signal_frame(const row &r) noexcept
{
	if (r.cfa_register != register_sp || r.cfa_offset != 0 ||
	    r.return_column != register_pc)
		return false;
	for (const int n : {register_fp, register_sp, register_pc}) {
		const place &p = place_of(r, n);
		if (p.what != place::offset ||
		    static_cast<std::size_t>(p.number) != signal_slot(n))
			return false;
	}
	return true;
}

} // namespace stack9::unwind
