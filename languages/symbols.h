// Finds symbols of an ELF file by their names.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "process/file.h"

namespace stack9::languages {

struct found_symbol {
	std::uint64_t	vaddr = 0, size = 0;	// vaddr 0: there is none
};

// Stores for each name the symbol of that name: an exported one or, if there is
// none, one of .symtab.  A symbol's name ends at a NUL or at the '@' of a
// version.  It reads the tables from one end to the other.  A table beyond its
// budget is not read, and is counted.  Takes the file's lock.  Throws
// std::bad_alloc.
void find_symbols(process::file &, std::span<const std::string_view> names,
    found_symbol *to);

} // namespace stack9::languages
