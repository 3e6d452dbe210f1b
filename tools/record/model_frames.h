// Turns the frames of a segment into those of tools/model/, and back.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "model.h"
#include "tools/model/frame.h"

namespace recording {

class segment;

tools::frame to_model(const segment &, std::uint32_t frame);

// module: its number, 0 if it has none.
frame from_model(const tools::frame &, std::uint32_t module);

// Gives the module that the frame is in; its path is "" if there is none.  The
// build-id is that of a user frame's file.
module module_of(const tools::frame &);

} // namespace recording
