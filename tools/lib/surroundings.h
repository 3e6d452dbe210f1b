// Reports what the system around the program lacks: /proc, descriptors,
// standard streams.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <exception>
#include <string>

namespace tools {

// Fills the places of standard streams that are closed, so that no file of the
// program's own takes one of them and gets its output.  To write to such a
// place fails, as it does with a closed one.  Call it first.
void fill_standard_streams();

// Allows this program as many open files as it may have.  Each mapped file is
// held open once, and a large machine has thousands.
void raise_descriptors();

// Says that the limit of descriptors is so low that stacks and names may be
// missing for it; "" if it is not.
std::string few_descriptors();

// Says why a program cannot go on, and returns its exit status, exit_none.
int end_for(const char *program, const std::exception &);

bool proc_is_mounted();

// Says why the names of kernel functions are hidden, and which right or setting
// shows them.
std::string hidden_names();

inline constexpr const char *no_proc = "/proc is not mounted here";

} // namespace tools
