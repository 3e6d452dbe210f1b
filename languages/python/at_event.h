// Has the frames of CPython reported at events, and gives them their names.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "languages/reported.h"

#include "calls.h"
#include "code.h"
#include "layout.h"

namespace stack9::languages::python {

// Describes the frames of a process for programs that follow them.  False: the
// layout is beyond what they can.
bool describe_chain(const loaded &, const layout &, s9_frame_chain &);

using reported_codes = reported_functions<code_object>;

// Puts the frames that were reported in the place of the calls of the loop.
// Throws std::bad_alloc.
void weave(const question &, const loaded &, const places &, const layout &,
    const reported_codes &, written_stack &);

} // namespace stack9::languages::python
