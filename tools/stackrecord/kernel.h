// Reads what distinguishes one kernel, and one boot of a machine, from another.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "tools/record/model.h"

namespace stackrecord {

// Gives the bytes of the build-id of the kernel, "", or of one of its modules;
// "" if it is not known.
std::string kernel_build_id(const std::string &module);

// Fills in the names of the machine, and the time now.
void describe_machine(recording::segment_info &);
// Gives CLOCK_BOOTTIME, by which ticks are kept, and the number of nanoseconds
// that CLOCK_REALTIME is ahead of it.
void read_clocks(std::uint64_t &boot_ns, std::int64_t &wall_minus_boot);

} // namespace stackrecord
