// The process as the outermost frame.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "profile.h"

namespace profiles {

// p itself if each stack that has a comm begins with a frame of it; else a copy
// in room where they do.
const profile &with_processes(const profile &p, profile &room);

} // namespace profiles
