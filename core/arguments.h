// Refuses wrong arguments of public calls by a sentence that names them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <initializer_list>

#include "reason.h"

namespace stack9 {

struct argument_fault {
	bool		is;
	const char	*what;	// "td is NULL"
};

// Keeps the sentence of the first fault that is, and returns EINVAL; 0: there
// is none.  Async-signal-safe.
inline int
check_arguments(std::initializer_list<argument_fault> all) noexcept
{
	for (const argument_fault &f : all)
		if (f.is) [[unlikely]]
			return failed(EINVAL, f.what);
	return 0;
}

inline constexpr char is_no_side[] =
    "side is none of STACK9_KERNEL, STACK9_USER and STACK9_BOTH";
inline constexpr char has_no_td[] = "td is NULL";
inline constexpr char has_no_tid[] = "td->tid is less than 1";
inline constexpr char has_no_pid[] = "td->pid is less than 1";
inline constexpr char has_no_fn[] = "fn is NULL";
inline constexpr char has_unknown_flags[] =
    "flags has one that this release does not know";

} // namespace stack9
