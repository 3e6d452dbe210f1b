// Makes the model's frame of the library's.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>

#include "frame.h"

namespace tools {

// A frame of the kernel has its address, and a user frame that in its file,
// which is the same in all processes and which addr2line accepts, or else that
// in its process.
frame from_library(const stack9_frame &);

// Makes the frame of an inlined call: it is at the address of the function
// around it.
frame inlined_in(const frame &around, frame &&call);

} // namespace tools
