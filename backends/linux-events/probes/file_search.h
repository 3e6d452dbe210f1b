// Searches a program's file for the probes of an event, in the process without
// rights if there is one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "os/unique_fd.h"

#include "event_text.h"
#include "probe.h"

namespace stack9::events {

// Searches the file for what e names.  Only kind, provider, name and offset of
// e count.  The probes have no path.
using search_fn = int(const event_text &e, bool regex, unique_fd file,
    const std::string &path, std::vector<probe> &, std::string &why);
search_fn search_functions;	// user_functions.cc
search_fn search_probes;	// usdt_notes.cc

// Finds the file of e and has it searched.  Returns as find_probes().
int search_file(const event_text &, bool regex, pid_t pid,
    std::vector<probe> &, std::string &why);

} // namespace stack9::events
