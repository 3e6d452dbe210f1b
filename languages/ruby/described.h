// Describes the frames of Ruby to the programs that follow them at events.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "layout.h"

namespace stack9::languages::ruby {

// Does so for all processes, but without the way to a thread's frames.
s9_frame_chain describe_chain(const layout &);

} // namespace stack9::languages::ruby
