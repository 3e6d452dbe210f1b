// Writes answers for people.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "options.h"
#include "tools/profiles/profile.h"
#include "tools/record/segment.h"

namespace stackreport {

// The most frequent stacks, the first one first, and a line about all of them.
std::string top_text(const profiles::profile &, const options &,
    std::uint64_t ticks);

// A stack's frames, one a line, the innermost first.
std::string stack_text(const profiles::profile &,
    const std::vector<std::uint32_t> &frames);

// The first function of a stack that is not the scheduler's; "" if there is
// none.
std::string innermost(const recording::segment &, std::uint32_t stack,
    bool raw);

} // namespace stackreport
