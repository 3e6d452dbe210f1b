// Lists the events whose names match, of the kinds that this kernel can watch.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "probe.h"

namespace stack9::events {

// As find_probes(), without a limit to their number and with two differences.
// A name that is not a pattern may be any part of the names.  A word without a
// colon is looked for among events of all kinds but those of programs; "": all
// of these but the kernel's functions.
int list_probes(const std::string &events, bool regex, pid_t pid,
    std::vector<probe> &probes, std::string &why);

} // namespace stack9::events
