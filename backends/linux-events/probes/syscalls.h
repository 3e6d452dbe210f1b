// Finds the system calls of this machine by their names.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "probe.h"

namespace stack9::events {

struct event_text;
class near_names;

// As find_probes().
int find_syscalls(const event_text &, bool regex, std::vector<probe> &,
    std::string &why);
// t:syscalls:sys_enter_NAME and sys_exit_NAME.
int find_syscall_tracepoints(const event_text &, bool regex,
    std::vector<probe> &, std::string &why);

// The number, or -1.
int syscall_number(const std::string &name) noexcept;
void offer_syscalls(near_names &);
// The names that the probe's own tracepoint may have in the category syscalls.
std::vector<std::string> syscall_tracepoint_names(const probe &);
// The number by which perf_event_open(2) knows the probe's own tracepoint.  0
// if there is none, or if tracefs is out of reach: only tracefs has the number.
std::uint64_t syscall_tracepoint(const probe &) noexcept;
// The same of the tracepoint that all calls, or all returns, go through.
std::uint64_t tracepoint_of_calls(bool returns) noexcept;
// True if this kernel may preempt a program on a raw tracepoint of system calls
// or on a call's own tracepoint.
bool preempts_calls() noexcept;

} // namespace stack9::events
