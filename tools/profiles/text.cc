// Replaces characters that are not for XML, and cuts text to a width.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "text.h"

#include <algorithm>

namespace profiles {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";
// These are in UTF-8, but not in XML: U+FFFE and U+FFFF.
constexpr std::string_view none_of_xml[] = {"\xef\xbf\xbe", "\xef\xbf\xbf"};

std::string_view
escaped(const char &c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	}
	const auto u = static_cast<unsigned char>(c);
	if (u < 0x20 || u == 0x7f)
		return replacement;
	return {&c, 1};
}

bool
begins_character(char c)
{
	return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

// Most characters outside ASCII are wider, and text must not leave its frame.
unsigned int
columns_of(char first)
{
	return static_cast<unsigned char>(first) < 0x80 ? 1 : 2;
}

} // namespace

std::string
xml(std::string_view bytes)
{
	const std::string text = utf8(bytes);
	std::string out;
	out.reserve(text.size());
	for (std::size_t i = 0; i < text.size(); i++) {
		const std::string_view three(&text[i],
		    std::min<std::size_t>(3, text.size() - i));
		if (three == none_of_xml[0] || three == none_of_xml[1]) {
			out += replacement;
			i += 2;
		} else {
			out += escaped(text[i]);
		}
	}
	return out;
}

std::string
cut(const std::string &text, unsigned int columns)
{
	constexpr unsigned int dots = 2, least = 3;
	unsigned int used = 0;
	std::size_t fits = 0;	// with the dots after it
	for (std::size_t i = 0; i < text.size(); i++) {
		if (!begins_character(text[i]))
			continue;
		if (used + dots <= columns)
			fits = i;
		used += columns_of(text[i]);
	}
	if (used <= columns)
		return text;
	return fits < least ? "" : text.substr(0, fits) + "..";
}

} // namespace profiles
