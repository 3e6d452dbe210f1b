// Writes stacks for people, as stackcount has printed them since 2016: frames
// innermost first, and the count below them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include "tools/events/frames.h"
#include "tools/events/options.h"
#include "tools/profiles/profile.h"

namespace stackcount {

void write_text(fmt::memory_buffer &, const profiles::profile &,
    const events::frames &, const events::options &);

} // namespace stackcount
