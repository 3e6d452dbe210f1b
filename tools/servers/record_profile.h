// Makes a profile of a batch: a minute of one machine.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "batches.h"
#include "tools/profiles/profile.h"

namespace servers {

// The same batch has the same id, whoever reads it.
profiles::profile profile_of(const recording::segment &, const batch &);

// Gives 64 bits that tell one boot of a machine from all others.
std::uint64_t boot_number(const recording::segment_info &);

} // namespace servers
