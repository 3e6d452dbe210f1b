// Opens tracefs, mounted or not, and lists the categories of tracepoints.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "os/unique_fd.h"

namespace stack9::bpf {

// The directory that tracefs is mounted on; "": it is not mounted.
std::string tracefs();

// Opens that directory.  If tracefs is not mounted, a mount is made that is
// mounted nowhere: its descriptor is the only way to it, and closing the
// descriptor ends it.  That takes CAP_SYS_ADMIN; without it the result is
// empty.
unique_fd root_of_tracefs();

enum class answer { unknown, yes, no };

// Unknown: tracefs is out of reach.
answer is_category(const std::string &name);

// Unknown: tracefs is out of reach, or has no such tracepoint.
answer is_tracepoint_of(const std::string &category, const std::string &name);

// The category of a tracepoint.  "": it has none, or tracefs is out of reach.
std::string category_below(const unique_fd &root, const std::string &name);

} // namespace stack9::bpf
