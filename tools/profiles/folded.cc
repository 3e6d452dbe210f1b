// Writes folded stacks, one a line.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include <fmt/format.h>

#include "profile.h"
#include "text.h"
#include "tools/lib/text.h"
#include "words.h"
#include "writers.h"

namespace profiles {
namespace {

using tools::append;

struct folded_line {
	std::string	text;
	std::uint64_t	weight;
};

const char *
mark(frame_kind kind)
{
	switch (kind) {
	case frame_kind::kernel:
		return "_[k]";
	case frame_kind::inlined:
		return "_[i]";
	default:
		return "";
	}
}

// Replaces the characters that a reader would take for the end of a frame or of
// a line.
std::string
name_in_line(const frame &f)
{
	std::string out;
	for (const char c : utf8(label(f))) {
		const auto u = static_cast<unsigned char>(c);
		if (c == ';')
			out += ':';
		else if (u < 0x20 || u == 0x7f)
			out += fmt::format("\\{:03o}", u);
		else
			out += c;
	}
	return out;
}

std::string
joined(const stack &s, const std::vector<std::string> &names)
{
	std::string text;
	for (const std::uint32_t f : s.frames) {
		if (!text.empty())
			text += ';';
		text += names[f];
	}
	return text.empty() ? "[no stack]" : text;
}

} // namespace

std::string
folded(const profile &given, bool marked)
{
	profile copy;
	const profile &p = with_processes(given, copy);
	std::vector<std::string> names;
	for (const frame &f : p.frames)
		names.push_back(name_in_line(f) + (marked ? mark(f.kind) : ""));
	std::vector<folded_line> lines;
	for (const stack &s : p.stacks)
		lines.push_back({joined(s, names), s.weight});
	std::sort(lines.begin(), lines.end(),
	    [](const folded_line &a, const folded_line &b) {
		    return a.text < b.text;
	    });
	fmt::memory_buffer out;
	for (std::size_t i = 0; i < lines.size();) {
		std::uint64_t weight = 0;
		const std::string &text = lines[i].text;
		for (; i < lines.size() && lines[i].text == text; i++)
			weight += lines[i].weight;
		append(out, "{} {}\n", text, weight);
	}
	return fmt::to_string(out);
}

} // namespace profiles
