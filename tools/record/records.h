// Finds the files that are named, of directories those that have something of
// an interval, and reads them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "reader.h"
#include "tools/lib/time_text.h"

namespace recording {

using tools::interval;

// Reads files and directories.  Returns false if one could not be read;
// complaints say which.
bool read_records(const std::vector<std::string> &, const interval &,
    visitor &, reading &);

inline std::int64_t
wall_ns(const tick &t)
{
	return static_cast<std::int64_t>(t.boot_ns) + t.wall_minus_boot;
}

} // namespace recording
