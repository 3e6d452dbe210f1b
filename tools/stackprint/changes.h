// Prints how the stacks of a thread have changed.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include "printer.h"

namespace stackprint {

// Prints for each side the frames that have gone, with "-", those that have
// come, with "+", and how many outer frames are as before.
void put_changes(fmt::memory_buffer &, const sample &before,
    const sample &now, const view &);

// The same as members of a JSON object, each after a comma: how many outer
// frames are as before, and the frames that have gone.
std::string change_members(const sample &before,
    const sample &now, const view &);

} // namespace stackprint
