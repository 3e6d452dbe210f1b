// Writes pieces of JSON, and makes bytes UTF-8.  A piece that is made once and
// printed a thousand times (a frame) is kept as text: building a tree for each
// thread took five times as long.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace tools {

// Replaces bytes that are not UTF-8 by U+FFFD.
std::string utf8(std::string_view bytes);

// Gives "key":"value".  In a value that is not UTF-8, U+FFFD replaces the bytes
// that are not; a member "key_hex" with all bytes follows, so that nothing is
// lost.
std::string json_member(std::string_view key, const std::string &value);

// Gives "key":"0x1f".  It is not a number, because readers that have only
// doubles would round it.
inline std::string
json_address(std::string_view key, std::uint64_t value)
{
	return fmt::format("\"{}\":\"{:#x}\"", key, value);
}

} // namespace tools
