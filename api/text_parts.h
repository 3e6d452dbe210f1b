// Reads the words of a line of the text form of a stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "places.h"

namespace stack9 {

// Why a line is wrong.
struct wrong {
	const char	*what;
};

inline std::string_view
take_word(std::string_view &from) noexcept
{
	const std::size_t n = from.find(' ');
	const std::string_view word = from.substr(0, n);
	from.remove_prefix(n == from.npos ? from.size() : n + 1);
	return word;
}

template <class T>
T
number(std::string_view text, int base = 10)
{
	T value{};
	const char *const end = text.data() + text.size();
	const auto [at, error] = std::from_chars(text.data(), end, value,
	    base);
	if (error != std::errc() || at != end)
		throw wrong{"a number is wrong"};
	return value;
}

// Undoes what printable() does.
inline std::string
raw(std::string_view text)
{
	std::string to;
	for (std::size_t i = 0; i < text.size(); i++) {
		if (text[i] != '\\') {
			to += text[i];
		} else if (text.substr(i + 1, 1) == "\\") {
			to += text[++i];
		} else {
			const auto n = text.size() - i < 4 ? 0u :
			    number<unsigned int>(text.substr(i + 1, 3), 8);
			if (n == 0 || n > 255)
				throw wrong{"a backslash is followed neither "
				    "by three octal digits nor by another one"};
			to += static_cast<char>(n);
			i += 3;
		}
	}
	return to;
}

inline std::vector<unsigned char>
build_id(std::string_view text)
{
	if (text.size() < 4 || text.size() % 2 != 0 ||
	    text.size() > 2 * most_build_id)
		throw wrong{"the build-id has not 2 to 64 bytes"};
	std::vector<unsigned char> id;
	for (std::size_t i = 0; i < text.size(); i += 2)
		id.push_back(number<unsigned char>(text.substr(i, 2), 16));
	return id;
}

} // namespace stack9
