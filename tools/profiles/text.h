// Bytes as text of the formats that people's tools read.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

namespace profiles {

// U+FFFD where the bytes are not UTF-8.
std::string utf8(std::string_view bytes);

// As content of an element or value of an attribute, on one line.  Control
// characters are U+FFFD: XML cannot have most of them at all.
std::string xml(std::string_view bytes);

// Cut to so many columns, ".." at the end if it was; "" if that would leave
// next to nothing.  Of UTF-8.
std::string cut(const std::string &text, unsigned int columns);

} // namespace profiles
