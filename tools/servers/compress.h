// Compresses what is sent.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

namespace servers {

// Makes a gzip file (RFC 1952).  It throws std::bad_alloc.
std::string compressed(std::string_view);

} // namespace servers
