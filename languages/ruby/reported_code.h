// Reads the code and the methods that events have reported, and keeps what
// their names and lines need.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "languages/kept_memory.h"

#include "code.h"
#include "method.h"
#include "names.h"

namespace stack9::languages::ruby {

struct reported_code {
	compiled	its;
	std::uint64_t	instruction = 0;	// the first one
	mutable kept_memory lines;
};

// False: there is no code.  bytes: how many it has.
bool read_reported(unwind::memory &, const layout &, std::uint64_t at,
    reported_code &, std::size_t &bytes);

struct reported_method {
	method		its;
	std::string	of_class;	// as names::of_class()
	std::string	name;		// of a function in C; ""
};

bool read_reported(unwind::memory &, names &, std::uint64_t at,
    reported_method &, std::size_t &bytes);

} // namespace stack9::languages::ruby
