// Writes bytes as base64 (RFC 4648), the form of bytes in JSON.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace servers {

inline std::string
base64(std::string_view bytes)
{
	constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "abcdefghijklmnopqrstuvwxyz0123456789+/";
	std::string out;
	out.reserve((bytes.size() + 2) / 3 * 4);
	for (std::size_t i = 0; i < bytes.size(); i += 3) {
		std::uint32_t group = 0;
		for (std::size_t j = i; j < i + 3; j++)
			group = group << 8 | (j < bytes.size() ?
			    static_cast<unsigned char>(bytes[j]) : 0);
		for (unsigned int j = 0; j < 4; j++)
			out += i + j > bytes.size() ? '=' :
			    digits[group >> (18 - 6 * j) & 63];
	}
	return out;
}

} // namespace servers
