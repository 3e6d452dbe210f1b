// Lists the ways to find the names of functions of this process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <ostream>
#include <string>

#include <fmt/format.h>

#include "core/seam/record.h"
#include "program.h"

namespace {

struct way {
	const char	*name;
	finder		 find;
};
// The second remembers what the first finds, so it comes first.
const way ways[] = {
	{"elf_find_nowait", stack9::elf_find_nowait},
	{"elf_find", stack9::elf_find},
};

inline std::ostream &
operator<<(std::ostream &out, const way &w)
{
	return out << w.name;
}

const std::string none = fmt::format("errno {}", ENOENT);

} // namespace
