// Writes the version of the programs.  It is the library's.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <fmt/format.h>
#include <stack9.h>

namespace tools {

inline std::string
version_number()
{
	return fmt::format("{}.{}.{}", STACK9_VERSION / 10000,
	    STACK9_VERSION / 100 % 100, STACK9_VERSION % 100);
}

inline std::string
version_of(const char *program)
{
	return fmt::format("{} {}", program, version_number());
}

} // namespace tools
