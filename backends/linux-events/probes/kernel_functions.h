// Finds functions of the kernel by their names, and says why a kernel refuses
// to have them traced.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "probe.h"

namespace stack9::events {

struct event_text;

// As find_probes().  Only attaching shows whether the kernel can be traced at
// the probe.
int find_kernel_functions(const event_text &, bool regex, std::vector<probe> &,
    std::string &why);

// Reads /proc/kallsyms in 40 ms; true if that cannot be read.
bool is_kernel_function(const std::string &name);

// False: neither kprobes nor fentry work here.  It takes up to 10 ms.
bool kernel_functions_can_be_traced();

// Says why no program can be attached to functions of this kernel, in a
// sentence that names the configuration or the lockdown that is in the way, and
// events that may do instead of this function.  "": nothing is known to be in
// the way.
std::string why_no_kernel_functions(const std::string &function);

} // namespace stack9::events
