// Reads /proc/TID/maps and goes through its lines.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/seam/user_copy.h"

#include "maps_line.h"

namespace stack9::process {

// Reads all of it, or what its budget allows.  task: a descriptor of /proc/TID.
// 0; ESRCH: the task has no memory any more, or never had; EPERM; EMFILE;
// ENOMEM...
int read_maps(int task, byte_buffer &text) noexcept;

// Takes the first line off text.  False: it is not such a line, or text was
// empty.
bool next_line(std::string_view &text, maps_line &) noexcept;

// Gives a line's path without the kernel's additions: the kernel writes line
// ends as \012, and puts " (deleted)" after the names of files that were
// unlinked.  A path that is too long to be opened begins in its middle.
std::string path_of(const maps_line &, bool &deleted);

} // namespace stack9::process
