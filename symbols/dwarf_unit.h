// Finds the functions of one compilation unit by address, the calls that were
// inlined into them, and their lines.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include <elfutils/libdw.h>

#include "debug_work.h"
#include "opened_dwarf.h"

namespace stack9 {

// The members of stack9_line; the texts live as long as the Dwarf.
struct source_level {
	const char	*function;
	const char	*file;
	int		line, column;
	bool		inlined;
};

class dwarf_unit {
public:
	dwarf_unit(opened_dwarf &, Dwarf_Off die, debug_work &);

	// The levels, innermost first; none if nothing is known.  Throws
	// std::bad_alloc.
	std::vector<source_level> levels(std::uint64_t vaddr);

private:
	struct function {
		std::uint64_t	start, end;
		Dwarf_Off	die;
	};
	enum class depth : std::uint8_t { none, outer, nested };

	bool find_function(std::uint64_t vaddr, Dwarf_Die &);
	bool search(std::uint64_t vaddr, Dwarf_Die &) const;
	void read_functions(Dwarf_Die &parent, int levels);
	void add_function(Dwarf_Die &);
	std::vector<Dwarf_Die> inlined_at(std::uint64_t vaddr, Dwarf_Die);
	bool may_read_lines();
	source_level place_of(std::uint64_t vaddr);
	source_level caller_of(Dwarf_Die &call);

	debug_work	&work_;
	bool		good_ = false;
	bool		asked_lines_ = false;	// whether they may be read,
	bool		reads_lines_ = false;	// and the answer
	Dwarf_Die	unit_;		// has the lines
	Dwarf_Die	tree_;		// has the functions: in another
					// file if they were split off
	Dwarf		*of_tree_;	// the file of tree_
	depth		read_ = depth::none;
	std::vector<function> functions_;	// by start
};

// How long the line program of a unit is.  libdw makes rows of the program.  0:
// it has none, or none that can be read.  All sections have been read.
std::uint64_t line_program_size(Dwarf_Die &unit) noexcept;

} // namespace stack9
