// Functions of the kernel by their names.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "points.h"

namespace stack9::events {

struct event_text;

// As find_points().  Whether the kernel lets itself be traced there, attaching
// says.
int find_kernel_functions(const event_text &, bool regex, std::vector<point> &,
    std::string &why);

// By /proc/kallsyms, which takes 40 ms; true where that cannot be read.
bool is_kernel_function(const std::string &name);

} // namespace stack9::events
