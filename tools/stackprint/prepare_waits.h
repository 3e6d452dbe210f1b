// Declares the loading of what finds waits while stacks are captured.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <future>

namespace stackprint {

// The first question for a wait loads a BPF program, and so does that for a
// state.  This takes as long as to capture some hundred threads, so it is done
// beside that.  The destructor of the result waits for the end.
std::future<void> prepare_waits(bool states);

} // namespace stackprint
