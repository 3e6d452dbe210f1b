// Says what the kernel's symbol table is called here, and why it shows nothing.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9 {

// The name and the description of the route that reads it.
inline constexpr const char kernel_table[] = "kallsyms";
inline constexpr const char kernel_table_is[] =
    "the kernel's symbol table, /proc/kallsyms";

// A sentence for why the table cannot be read: EPERM, ENOENT, or another errno.
const char *kernel_table_refused(int error) noexcept;

} // namespace stack9
