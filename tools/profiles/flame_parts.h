// Holds the text of flame.js, flame.css, heat.js and heat.css; CMake makes it
// from them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace profiles {

extern const std::string_view flame_script, flame_style,
    heat_script, heat_style;

} // namespace profiles
