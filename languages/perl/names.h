// Reads the names of Perl's subroutines and files.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "layout.h"

namespace stack9::languages::perl {

// Gives "Shop::reserve", as UTF-8.  "": there is no sub.
std::string sub_name(unwind::memory &, const layout &, std::uint64_t cv);

// Gives the name that a GV has, likewise.
std::string name_of_glob(unwind::memory &, const layout &, std::uint64_t gv);

struct line_of_file {
	std::string	file;
	std::uint32_t	line = 0;	// 0: not known
};

// Gives where a COP was written.
line_of_file place_of(unwind::memory &, const layout &, std::uint64_t cop);

} // namespace stack9::languages::perl
