// Writes bytes in hexadecimal.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace tools {

// Takes anything that has bytes: a string, or an array of numbers.
template <class Bytes>
std::string
in_hex(const Bytes &bytes)
{
	constexpr const char *digits = "0123456789abcdef";
	std::string text;
	for (const auto each : bytes) {
		const auto byte = static_cast<unsigned char>(each);
		text += digits[byte >> 4];
		text += digits[byte & 15];
	}
	return text;
}

} // namespace tools
