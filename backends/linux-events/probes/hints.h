// Writes the names of events that may be meant instead of one that does not
// exist.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace stack9::events {

class near_names;

inline constexpr const char *tracepoint_prefix = "t:";

// "; did you mean t:sched:sched_switch?" with the names and their prefixes, or
// "".  Tracepoints have their categories where these are known.
std::string question(const near_names &);

// The system call of a tracepoint as sys_enter_read, "syscall:read"; or "".
std::string call_of_tracepoint(const std::string &name);

// The whole name of a tracepoint, with its category where that is known.
std::string tracepoint_label(const std::string &name);

} // namespace stack9::events
