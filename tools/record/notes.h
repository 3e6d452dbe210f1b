// Says in place of frames why they are missing.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "model.h"

namespace recording {

// Gives the note that stands in place of frames that are missing, or "".
std::string note_of(const stack &);

} // namespace recording
