// Declares how the .dwo file of a unit is found: libdw would open whatever the
// unit names by itself, a device or a FIFO too, and map it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <elfutils/libdw.h>

#include "budgets/kept.h"

#include "opened_elf.h"
#include "package_file.h"

namespace stack9 {

enum class split_found {
	yes,
	no,
	left_out	// it is beyond its budget; this was counted
};

// Finds the split unit of a skeleton of this file's, in a file of its own or in
// a package.  That is copied into memory, and takes a share of what is kept.
// The file's Dwarf must not be used meanwhile.  Throws std::bad_alloc.
split_found find_split(const opened_elf &, package_file &, Dwarf_Die skeleton,
    Dwarf_Die &split, budgets::share &);

// Ends libdw's search for the file of .gnu_debugaltlink: an empty one is set.
// False: there is no memory.  to lives longer than the Dwarf.
struct no_alternate {
	unique_elf	elf;
	Dwarf		*dwarf = nullptr;

	no_alternate() noexcept = default;
	no_alternate(no_alternate &&from) noexcept
	    : elf(std::move(from.elf)), dwarf(std::exchange(from.dwarf,
		nullptr)) {}
	no_alternate &
	operator=(no_alternate &&from) noexcept
	{
		std::swap(elf, from.elf);
		std::swap(dwarf, from.dwarf);
		return *this;
	}
	~no_alternate() { dwarf_end(dwarf); }
};
bool stop_search(Dwarf *, no_alternate &to) noexcept;

} // namespace stack9
