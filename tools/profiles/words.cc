// Gives names and numbers for people.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "words.h"

#include <fmt/format.h>

namespace profiles {

std::string
label(const frame &f)
{
	if (!f.name.empty())
		return f.name;
	if (!f.linkage.empty())
		return f.linkage;
	return f.address != 0 ? fmt::format("{:#x}", f.address) : "[unknown]";
}

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
	case frame_kind::note:
		break;
	}
	return "note";
}

std::string
grouped(std::uint64_t value)
{
	std::string text = std::to_string(value);
	for (std::size_t i = text.size(); i > 3; i -= 3)
		text.insert(i - 3, ",");
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
