// Finds the probes that an event's name stands for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "probe.h"

namespace stack9::events {

// event follows the grammar of stackcount(1).  regex: names are POSIX extended
// regular expressions that have to match as a whole; false: they are patterns
// with * and ?.  pid: a short FILE is looked for first among the files that
// this process has mapped; 0: among those of no process.
// 0 and at least one probe; or ENOENT, EINVAL, ENOSPC (more than most_probes),
// EPERM, EOPNOTSUPP, and in why a sentence that says what helps.
int find_probes(const std::string &event, bool regex, pid_t pid,
    std::vector<probe> &probes, std::string &why);

// Finds the probes of one event that is parsed.  It may throw.
struct event_text;
int find_event(const event_text &, bool regex, pid_t pid,
    std::vector<probe> &probes, std::string &why);

} // namespace stack9::events
