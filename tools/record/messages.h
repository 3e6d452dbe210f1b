// Writes and reads the messages that records hold.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

#include "model.h"

namespace recording {

std::string encode(const segment_info &);
std::string encode(const tick &);

// Return "" or the error.  Nothing in the bytes is believed: a number may be
// too large, a list too short, a name endless.  References to other tables are
// not checked here, for they are not known: class segment does that.
std::string decode(std::string_view payload, segment_info &);
std::string decode(std::string_view payload, tick &);

} // namespace recording
