// Gives names and numbers for people.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "words.h"

#include <fmt/format.h>

namespace profiles {

namespace {

// Gives the last part of the path, without the brackets of "[vdso]".
std::string
file_name(const std::string &path)
{
	std::string name = path.substr(path.rfind('/') + 1);
	if (name.size() > 2 && name.front() == '[' && name.back() == ']')
		name = name.substr(1, name.size() - 2);
	return name;
}

} // namespace

std::string
name_of(const frame &f)
{
	if (!f.name.empty())
		return f.name;
	if (!f.linkage.empty())
		return f.linkage;
	return f.address != 0 ? fmt::format("{:#x}", f.address) : "[unknown]";
}

// No function has a name that begins with a digit.
bool
is_nameless(const frame &f)
{
	return (f.kind == frame_kind::kernel || f.kind == frame_kind::user ||
	    f.kind == frame_kind::inlined) &&
	    name_of(f).compare(0, 2, "0x") == 0;
}

std::string
label(const frame &f)
{
	const std::string name = name_of(f), file = file_name(f.module);
	return f.kind == frame_kind::user && is_nameless(f) && !file.empty() ?
	    fmt::format("[{}+{}]", file, name) : name;
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
colour_of(const frame &f)
{
	constexpr unsigned int shades = 10;
	if (f.kind != frame_kind::kernel && f.kind != frame_kind::user &&
	    f.kind != frame_kind::inlined)
		return word(f.kind);
	std::uint32_t hash = 2166136261;
	for (const char c : label(f))
		hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
	return word(f.kind) + std::to_string((hash >> 8) % shades);
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
