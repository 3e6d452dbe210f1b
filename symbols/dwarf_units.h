// Finds the compilation unit that an address belongs to: by .debug_aranges if
// the unit is listed there.  If not, the unit's own ranges are searched,
// because clang writes no .debug_aranges.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include <elfutils/libdw.h>

#include "debug_work.h"

namespace stack9 {

class dwarf_units {
public:
	dwarf_units(Dwarf *d, debug_work &work) noexcept
	    : dwarf_(d), work_(work) {}

	// The offset of the unit's DIE; false: no unit has the address.
	// Throws std::bad_alloc.
	bool find(std::uint64_t vaddr, Dwarf_Off &);

private:
	struct range {
		std::uint64_t	start, end;
		Dwarf_Off	unit;
	};

	bool search(std::uint64_t vaddr, Dwarf_Off &) const noexcept;
	void add(std::uint64_t start, std::uint64_t end, Dwarf_Off);
	void read_aranges();
	void read_the_rest();
	void settle();

	Dwarf		*dwarf_;
	debug_work	&work_;
	std::vector<range> ranges_;		// by start
	enum : std::uint8_t { nothing, aranges, all } read_ = nothing;
};

} // namespace stack9
