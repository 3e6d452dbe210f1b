// /proc/TID/maps: its text, and its lines.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/seam/user_copy.h"

#include "maps_line.h"

namespace stack9::process {

// All of it.  task: a descriptor of /proc/TID.  0; ESRCH: it has no memory any
// more, or never had; EPERM; EMFILE; ENOMEM...
int read_maps(int task, byte_room &text) noexcept;

// Takes the first line off text.  False: nothing, or no such line, is left.
bool next_line(std::string_view &text, maps_line &) noexcept;

// A path without what the kernel adds to it: line ends written \012, and behind
// the names of files that have none any more, " (deleted)".
std::string path_of(const maps_line &, bool &deleted);

} // namespace stack9::process
