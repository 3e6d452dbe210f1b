// Reads and writes the numbers in the texts of events.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <charconv>
#include <cstdio>

#include "event_text.h"

namespace stack9::events {

bool
to_number(std::string_view s, std::uint64_t &n) noexcept
{
	const bool hex = s.starts_with("0x") || s.starts_with("0X");
	if (hex)
		s.remove_prefix(2);
	const auto [end, error] = std::from_chars(s.data(),
	    s.data() + s.size(), n, hex ? 16 : 10);
	return error == std::errc() && end == s.data() + s.size();
}

std::string
to_hex(std::uint64_t n)
{
	char digits[20];
	std::snprintf(digits, sizeof digits, "0x%jx",
	    static_cast<std::uintmax_t>(n));
	return digits;
}

} // namespace stack9::events
