// Writes answers for people.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "sums.h"
#include "tools/profiles/profile.h"
#include "tools/record/segment.h"

namespace stackreport {

// The stacks of a profile, the most frequent one first, and a line about all.
std::string top_text(const profiles::profile &, const totals &);

// The wait of a thread: "mutex (place), held by tid 12"; "" not known.
std::string wait_text(const recording::wait *);

// A stack's frames, one a line, the innermost first.
std::string stack_text(const profiles::profile &,
    const std::vector<std::uint32_t> &frames);

// The first function of a stack that is not the scheduler's; "" if there is
// none.
std::string innermost(const recording::segment &, std::uint32_t stack,
    bool raw);

// The first function of a language: "Shop.reserve (orders.py:214)"; "" if there
// is none.
std::string innermost_written(const recording::segment &, std::uint32_t stack);

} // namespace stackreport
