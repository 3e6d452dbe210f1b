// Writes the head of a gzip file, stored blocks of deflate (RFC 1951), and the
// sum that ends the file.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "formats.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace profiles {
namespace {

void
put(std::string &to, std::uint32_t n, int bytes)
{
	for (int i = 0; i < bytes; i++)
		to.push_back(static_cast<char>(n >> (8 * i)));
}

std::uint32_t
crc32(std::string_view bytes)
{
	constexpr std::uint32_t polynomial = 0xedb88320;
	std::uint32_t table[256];
	for (std::uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^
			    (table[i] & 1 ? polynomial : 0);
	}
	std::uint32_t sum = 0xffffffff;
	for (const char c : bytes)
		sum = table[(sum ^ static_cast<unsigned char>(c)) & 0xff] ^
		    sum >> 8;
	return ~sum;
}

} // namespace

std::string
gzip(std::string_view bytes)
{
	constexpr std::size_t most = 65535;	// of a stored block
	// Magic, deflate, no flags, no time, nothing special, Unix.
	std::string out("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
	std::string_view left = bytes;
	do {
		const std::string_view block = left.substr(0, most);
		left.remove_prefix(block.size());
		const auto n = static_cast<std::uint32_t>(block.size());
		put(out, left.empty(), 1);
		put(out, n, 2);
		put(out, ~n, 2);
		out += block;
	} while (!left.empty());
	put(out, crc32(bytes), 4);
	put(out, static_cast<std::uint32_t>(bytes.size()), 4);
	return out;
}

} // namespace profiles
