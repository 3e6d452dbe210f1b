// Holds the text of flame.js and flame.css; CMake makes it from them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace profiles {

extern const std::string_view flame_script, flame_style;

} // namespace profiles
