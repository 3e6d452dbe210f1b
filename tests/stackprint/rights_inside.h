// Tries what a stopped process could do, were it taken over.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#ifdef __x86_64__

#include <string>

#include <sys/types.h>

#include "inside.h"

// Less is looked at to see what a file is; headers have 64 bytes.
inline constexpr unsigned long few = 16;

// The file that a descriptor of the process has.
std::string link_of(pid_t, unsigned long fd);

// All that the process may do, to the other one, too.
found_inside look(pid_t, pid_t other);

#endif
