// Writes one frame as an object of JSON.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "options.h"
#include "tools/lib/names.h"

namespace stackprint {

// withheld: without its address.
std::string frame_of_kernel(const tools::place &, bool withheld);
// A line of the kernel: "name+0xoffset/0xsize [module]".
std::string frame_of_text(const char *line);
// A native frame, or a function of a language.
std::string frame_of_user(const tools::place &, const options &);

} // namespace stackprint
