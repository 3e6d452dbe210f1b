// Pieces of JSON.  What is made once and printed a thousand times (a frame) is
// kept as text: building a tree for each thread took five times as long.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace stackprint {

// "key":"value".  A value that is not UTF-8 has U+FFFD where it is not, and is
// followed by "key_hex" with all of its bytes, so that nothing is lost.
std::string json_member(std::string_view key, const std::string &value);

// "key":"0x1f".  Not as a number: readers that have only doubles would round.
inline std::string
json_address(std::string_view key, std::uint64_t value)
{
	return fmt::format("\"{}\":\"{:#x}\"", key, value);
}

} // namespace stackprint
