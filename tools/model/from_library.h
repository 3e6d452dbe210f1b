// Makes the model's frames, stacks and samples of the library's.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>

#include "frame.h"
#include "stack.h"

namespace tools {

// A frame of the kernel has its address.  A user frame has its address in its
// file: it is the same in all processes, and addr2line accepts it.  If there is
// no file, the frame has its address in the process.
frame from_library(const stack9_frame &);

// Makes the frame of an inlined call: it is at the address of the function
// around it.
frame inlined_in(const frame &around, frame &&call);

// These refer to what the library lends.
stack from_library(const stack9_stack &);
sample from_library(const stack9_sample &);
// The result owns what it refers to.
sample from_library(const std::shared_ptr<const stack9_sample> &);

} // namespace tools
