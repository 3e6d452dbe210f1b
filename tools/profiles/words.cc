// Gives names and numbers for people.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "words.h"

#include <algorithm>

#include <fmt/format.h>

namespace profiles {
namespace {

// A record may hold anything as a language's name.
bool
is_plain(const std::string &name)
{
	return !name.empty() && std::all_of(name.begin(), name.end(),
	    [](char c) { return c >= 'a' && c <= 'z'; });
}

} // namespace

const char *
word(frame_kind kind)
{
	switch (kind) {
	case frame_kind::kernel:
		return "kernel";
	case frame_kind::user:
		return "user";
	case frame_kind::inlined:
		return "inlined";
	case frame_kind::delimiter:
		return "delimiter";
	case frame_kind::process:
		return "process";
	case frame_kind::language:
		return "language";
	case frame_kind::note:
		break;
	}
	return "note";
}

std::string
colour_of(const frame &f)
{
	constexpr unsigned int shades = 10, of_language = 5;
	if (!is_code(f))
		return word(f.kind);
	std::uint32_t hash = 2166136261;
	for (const char c : label(f))
		hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
	if (f.kind != frame_kind::language)
		return word(f.kind) + std::to_string((hash >> 8) % shades);
	// The second class holds if there are colours for that language.
	const std::string shade = std::to_string((hash >> 8) % of_language);
	return "language" + shade + (is_plain(f.language) ? " " + f.language +
	    shade : "");
}

std::string
grouped(std::uint64_t value)
{
	std::string text = std::to_string(value);
	for (std::size_t i = text.size(); i > 3; i -= 3)
		text.insert(i - 3, 1, ',');
	return text;
}

std::string
amount(std::uint64_t value, const std::string &unit)
{
	const bool one = value == 1 && !unit.empty() && unit.back() == 's';
	return grouped(value) + " " + unit.substr(0, unit.size() - one);
}

std::string
percent(std::uint64_t part, std::uint64_t whole)
{
	return fmt::format("{:.2f} %", whole == 0 ? 0.0 :
	    100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

} // namespace profiles
