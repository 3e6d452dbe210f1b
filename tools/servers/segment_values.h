// Makes of a segment what servers take: named frames, stacks of both sides, and
// the profile of a batch.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "batches.h"
#include "tools/profiles/profile.h"
#include "tools/record/segment.h"

namespace servers {

// A stack of both sides of a thread, the outermost frame first.
struct whole_stack {
	recording::identity	id;
	std::vector<std::string> frames;	// names; kernel's end in _[k]
	std::vector<std::string> places;	// build-id+0x1f; "": none
};

// The identity is made of those of both sides.
recording::identity id_of(const recording::segment &, std::uint32_t kernel,
    std::uint32_t user);
whole_stack whole_stack_of(const recording::segment &, std::uint32_t kernel,
    std::uint32_t user);

// The same batch has the same id, whoever reads it.
profiles::profile profile_of(const recording::segment &, const batch &);

// Gives 64 bits that differ between any two boots of any machines.
std::uint64_t boot_number(const recording::segment_info &);

} // namespace servers
