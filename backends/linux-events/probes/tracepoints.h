// Finds tracepoints of the kernel.  BTF has their names; tracefs, if it is
// mounted, has their categories.
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
int find_tracepoints(const event_text &, bool regex, std::vector<probe> &,
    std::string &why);

// Lists all that match, with their categories where tracefs can be opened.
int list_tracepoints(const event_text &, bool regex, std::vector<probe> &,
    std::string &why);

bool is_tracepoint(const std::string &name);
void offer_tracepoints(near_names &);

// The category of a tracepoint, or "".
std::string category_of(const std::string &name);

} // namespace stack9::events
