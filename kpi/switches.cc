// Defines the variables that the kernel's files read, and that a program may
// define itself or assign.  They are weak, because an archive would be another
// definition, and as long as any version's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdint>

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] std::uint64_t kdb_active = 0;
[[gnu::weak]] std::uint64_t ktr_mask = ~std::uint64_t{0};

} // extern "C"
#pragma GCC visibility pop
