// Finds functions of programs and libraries by the symbols of their files.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "points.h"

namespace stack9::events {

struct event_text;

// As find_points().
int find_user_functions(const event_text &, bool regex, pid_t pid,
    std::vector<point> &, std::string &why);

} // namespace stack9::events
