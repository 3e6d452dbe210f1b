// Adds the process as the outermost frame.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "profile.h"

namespace profiles {

// Returns p itself if each stack that has a comm begins with a frame for it.
// Otherwise fills and returns copy, in which they do.
const profile &with_processes(const profile &p, profile &copy);

} // namespace profiles
