// Finds out which capabilities are missing, and who can give them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

namespace stackprint {

inline constexpr const char *yama_scope =
    "/proc/sys/kernel/yama/ptrace_scope";

// Lists the capabilities that kernel stacks and their names need and that are
// not in effect, as CAP_BPF...
std::vector<std::string> missing_capabilities();

// True with those that kernel stacks need: their names are another matter.
bool may_load_programs();

// True with CAP_SYS_PTRACE: user stacks of other users' processes need it.
bool may_trace_all();

// The path of this program's file.
std::string this_program();

// Gives the command that grants this program the capabilities for good.
std::string setcap_command();

// "", or why neither sudo nor setcap gives what kernel stacks need, or user
// stacks of others, and what does.
std::string only_from_outside(bool kernel);

} // namespace stackprint
