// Prints the threads of a group in few lines, such as 4711-5710 for a thousand
// in a row.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include <fmt/format.h>

#include "printer.h"

namespace stackprint {

void put_tids(fmt::memory_buffer &, const std::vector<member> &);

} // namespace stackprint
