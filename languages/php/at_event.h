// Has the frames of PHP reported at events, and gives them their names.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "languages/reported.h"

#include "function.h"
#include "layout.h"

namespace stack9::languages::php {

// Describes the frames of a process for programs that follow them.  False: each
// thread has frames of its own, in places that programs do not find.
bool describe_chain(const loaded &, const places &, const layout &,
    s9_frame_chain &);

using reported_code_of_php = reported_functions<function>;

// Puts the frames that were reported in the place of the calls of the loop.
// Throws std::bad_alloc.
void weave_reported(const question &, const loaded &, const places &,
    const layout &, const reported_code_of_php &, written_stack &);

} // namespace stack9::languages::php
