// Tells how long the line program of a unit is, before libdw makes rows of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <elfutils/libdw.h>

namespace stack9 {

// 0: it has none, or none that can be read.  All sections have been read.
std::uint64_t line_program_size(Dwarf_Die &unit) noexcept;

} // namespace stack9
