// Says in this system's words what it does not show.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "proc_error.h"

namespace stack9 {

// EPERM of a question for the mappings of a process.
inline constexpr const char maps_refused[] = "its mappings, /proc/TID/maps, "
    "cannot be read: needs CAP_SYS_PTRACE, or to be its user";

// EOPNOTSUPP of a question for a thread, where no thread can be found.
inline constexpr const char *no_threads = no_proc;

// EOPNOTSUPP without any other reason.  May change errno.
inline const char *
unsupported() noexcept
{
	return has_proc() ? "this machine cannot do it" : no_threads;
}

} // namespace stack9
