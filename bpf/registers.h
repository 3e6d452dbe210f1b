// The registers that a program saw, by their DWARF numbers.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/user_copy.h"

#include "record.h"

namespace stack9::bpf {

// False: of a kind of program that is not known here.
bool read_registers(const s9_user &, user_copy &) noexcept;

} // namespace stack9::bpf
