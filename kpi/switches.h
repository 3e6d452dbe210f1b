// Declares the variables of the kernel's debugger and of ktr(9) for the library
// itself, which uses a program's own if it has some.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <cstring>

#pragma GCC visibility push(default)
extern "C" {

extern std::uint64_t kdb_active, ktr_mask;

}
#pragma GCC visibility pop

namespace stack9 {

// Whether records of this class are wanted.
bool ktr_chosen(unsigned int mask) noexcept;

} // namespace stack9
