// Converts bytes to text for the formats that people's tools read, and holds
// the text that is the same in each page.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

#include "tools/lib/json.h"

namespace profiles {

using tools::utf8;

// Makes the content of an element or the value of an attribute, on one line.
// Control characters become U+FFFD: XML does not allow most of them.
std::string xml(std::string_view bytes);

// Cuts UTF-8 text to so many columns and ends it with "..".  Returns "" if next
// to nothing would be left.
std::string cut(const std::string &text, unsigned int columns);

// The text of flame.js, flame.css, heat.js and heat.css; CMake makes it from
// them.
extern const std::string_view flame_script, flame_style, heat_script,
    heat_style;

} // namespace profiles
