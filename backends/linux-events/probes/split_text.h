// Declares how the text of events is split.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stack9::events {

// Splits text at separators that are in no brackets and do not follow a \.
// Returns at least one part and at most most parts.  A \ before the separator
// is removed.
std::vector<std::string> split_text(std::string_view text, char separator,
    std::string_view opening, std::string_view closing, std::size_t most);

} // namespace stack9::events
