// Names a place where neither the kernel nor an allocator maps anything by
// itself.  A page that a test has unmapped elsewhere may be another's at once,
// a sanitizer's for example, and to map or unmap it again damages that.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace lib {

constexpr std::uintptr_t lone_place = 0x20000000;

} // namespace lib
