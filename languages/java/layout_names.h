// Declares where each of HotSpot's names goes in a layout.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string_view>

#include "layout.h"

namespace stack9::languages::java {

using address_member = layout::address layout::*;
using offset_member = layout::offset layout::*;

// Static variables; members of structures; structures.
const std::map<std::string_view, address_member> &named_addresses();
const std::map<std::string_view, offset_member> &named_offsets();
const std::map<std::string_view, offset_member> &named_sizes();

} // namespace stack9::languages::java
