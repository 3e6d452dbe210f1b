// Writes the name of a thread, as /proc has it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

#include "text.h"

namespace stack9::crash {

text &write_name(text &, pid_t pid, pid_t tid) noexcept;

} // namespace stack9::crash
