// Finds the code object that an address is in, and what it says of the address.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>

#include "heap.h"

namespace stack9::languages::javascript {

struct compiled {
	tagged		code = 0;	// 0: there is none
	std::uint64_t	start = 0;
	std::uint32_t	size = 0;	// of instructions
	std::int32_t	kind = 0;

	// Kinds follow each other: baseline, Maglev, Turbofan.
	bool is_baseline(const layout &l) const noexcept
	{
		return kind == l.baseline_kind;
	}
	bool is_maglev(const layout &l) const noexcept
	{
		return kind == l.baseline_kind + 1;
	}
	bool is_turbofan(const layout &l) const noexcept
	{
		return kind == l.baseline_kind + 2;
	}
	bool is_optimised(const layout &l) const noexcept
	{
		return code != 0 && (is_maglev(l) || is_turbofan(l));
	}
};

// Finds the code that was made at the address.  It looks backwards for the
// header, because code that was replaced or is about to be is in no table.
compiled code_at(heap &, std::uint64_t pc);

// The code of addresses, each looked for once.
class codes {
public:
	codes(const question &q, heap &h) noexcept : q_(q), heap_(h) {}

	const compiled &of(std::uint64_t pc);

private:
	const question	&q_;
	heap		&heap_;
	std::map<std::uint64_t, compiled> known_;
};

// Gives the offset in bytecode of an address in baseline code; -1: it is not
// known.
std::int32_t baseline_offset(heap &, const compiled &, tagged bytecode,
    std::uint64_t pc);

// A call in optimised code, as the table of safe points has it.
struct safe_point {
	// Index of the deoptimization that it leads to; -1: it is not known.
	std::int32_t	deoptimization = -1;
	bool		is_here = false;	// it returns to this address
};
safe_point safe_point_of(heap &, const compiled &, std::uint64_t pc);

} // namespace stack9::languages::javascript
