// Says that this system's kernel has no table of names.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9 {

inline constexpr const char kernel_table[] = "kernel_table";
inline constexpr const char kernel_table_is[] = "the kernel's symbol table";

inline const char *
kernel_table_refused(int) noexcept
{
	return "this system's kernel tells no names";
}

} // namespace stack9
