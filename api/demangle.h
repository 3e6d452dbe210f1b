// Makes readable names of any length.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace stack9 {

// A name from a stranger's file may stand for an endless text: a text that is
// longer than this is none.
inline constexpr std::size_t longest_readable = 256 << 10;

// 0; ENOENT: it is not mangled, and `to` is undefined.  Throws std::bad_alloc.
int readable_name(const char *name, std::string &to);

} // namespace stack9
