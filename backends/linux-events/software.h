// Finds the events that the kernel itself counts, by the names that perf has
// for them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "points.h"

namespace stack9::events {

struct event_text;

// As find_points().
int find_software(const event_text &, std::vector<point> &, std::string &why);

} // namespace stack9::events
