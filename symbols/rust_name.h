// Decides whether libiberty can be given a mangled name of Rust.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace stack9 {

// name begins with "_R".  False: it is not such a name, or it declares
// lifetimes by the thousand ("for<'a, 'b, ...>").  libiberty goes through these
// one by one, silently in the parts of a name that are not shown, and a name of
// 50 bytes may declare 2^64 of them.
bool is_rust_name(std::string_view name) noexcept;

} // namespace stack9
