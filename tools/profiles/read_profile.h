// Reads profiles that were written before: folded stacks, or JSON of this
// program.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

#include "profile.h"

namespace profiles {

// Returns "" or what is wrong with the text.  Folded stacks have no unit.
std::string read_profile(std::string_view text, profile &);

} // namespace profiles
