// Describes the contexts of Perl to the programs on events.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "layout.h"

namespace stack9::languages::perl {

// Does so without the way from a thread to its interpreter.
s9_frame_chain describe_contexts(const loaded &, const places &,
    const layout &);

// Finds that way, by the thread of the question.  False: the thread cannot say.
bool find_way(const question &, const loaded &, const places &, const layout &,
    s9_frame_chain &);

} // namespace stack9::languages::perl
