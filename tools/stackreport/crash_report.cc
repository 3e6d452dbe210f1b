// Reads a report of a crash, and puts names and lines into its frames.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "crash.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "tools/lib/text.h"

namespace stackreport {
namespace {

constexpr std::string_view frame_begin = "    user    0x";

std::string_view
next_word(std::string_view &rest)
{
	rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
	const std::string_view word = rest.substr(0, rest.find(' '));
	rest.remove_prefix(word.size());
	return word;
}

bool
read_hex(std::string_view word, std::uint64_t &to)
{
	if (!word.starts_with("0x"))
		return false;
	word.remove_prefix(2);
	const auto [end, error] = std::from_chars(word.data(), word.data() +
	    word.size(), to, 16);
	return error == std::errc() && end == word.data() + word.size();
}

bool
read_bytes(std::string_view digits, std::string &to)
{
	for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
		unsigned char byte = 0;
		if (std::from_chars(digits.data() + i, digits.data() + i + 2,
		    byte, 16).ptr != digits.data() + i + 2)
			return false;
		to.push_back(static_cast<char>(byte));
	}
	return digits.size() % 2 == 0 && !to.empty() && to.size() <= 64;
}

struct named_lines {
	std::string_view	address, module;	// words of the report
	std::string		text{};
	bool			is_of_signal = false;
};

int
add_frame(void *arg, const stack9_frame *f)
{
	named_lines &to = *static_cast<named_lines *>(arg);
	to.is_of_signal |= (f->flags & STACK9_FRAME_SIGNAL) != 0;
	if (*f->name == '\0')
		return 0;
	const std::string where = *f->file == '\0' ? "" : f->line == 0 ?
	    "  " + tools::printable(f->file) : fmt::format("  {}:{}",
	    tools::printable(f->file), f->line);
	if (f->kind == STACK9_FRAME_INLINED)
		to.text += fmt::format("    user    {:18} {} (inlined){}\n", "",
		    tools::printable(f->name), where);
	else
		to.text += fmt::format("    user    {} {}+{:#x} {}{}\n",
		    to.address, tools::printable(f->name), f->offset,
		    to.module, where);
	return 0;
}

} // namespace

void
each_line(std::string_view text, const line_fn &fn)
{
	while (!text.empty()) {
		const std::string_view line = text.substr(0, text.find('\n'));
		text.remove_prefix(std::min(text.size(), line.size() + 1));
		fn(line);
	}
}

// "    START-END OFFSET ADDRESS BUILD-ID PATH"
void
crash_report::read_module(std::string_view line)
{
	code c;
	std::string_view rest = line;
	const std::string_view range = next_word(rest);
	const std::size_t dash = range.find('-');
	std::uint64_t offset;
	if (dash == range.npos || !read_hex(range.substr(0, dash), c.start) ||
	    !read_hex(range.substr(dash + 1), c.end) ||
	    !read_hex(next_word(rest), offset) ||
	    !read_hex(next_word(rest), c.vaddr) ||
	    !read_bytes(next_word(rest), c.build_id) || rest.size() < 2)
		return;
	c.path = rest.substr(1);
	modules_.push_back(std::move(c));
}

crash_report::crash_report(std::string_view text, stack9_space &files,
    unsigned int flags)
    : text_(text), files_(files), flags_(flags)
{
	bool is_list = false;
	each_line(text, [&](std::string_view line) {
		is_list = is_list ? line.starts_with("    0x") :
		    line.starts_with("modules: ");
		if (is_list && line.starts_with(' '))
			read_module(line);
	});
}

bool
crash_report::place(std::uint64_t pc, std::uint64_t &at) const
{
	for (const code &c : modules_) {
		if (pc < c.start || pc >= c.end)
			continue;
		stack9_place p{};
		p.size = sizeof p;
		p.build_id_size = static_cast<std::uint32_t>(
		    c.build_id.size());
		p.build_id = reinterpret_cast<const unsigned char *>(
		    c.build_id.data());
		p.module = c.path.c_str();
		p.vaddr = pc - c.start + c.vaddr;
		return stack9_space_place(&files_, &p, &at) == 0;
	}
	return false;
}

// A return address may be the first one after its mapping.  After the frame of
// a signal comes the function that it has interrupted.  Its address is exact,
// as that of an innermost one is.
std::string
crash_report::named_frame(std::string_view line, bool &exact) const
{
	std::string_view rest = line.substr(frame_begin.size() - 2);
	named_lines to{next_word(rest), rest.substr(rest.rfind(' ') + 1)};
	std::uint64_t pc, at;
	const std::uint64_t before = exact ? 0 : 1;
	if (read_hex(to.address, pc) && place(pc - before, at))
		stack9_frame_at(&files_, at + before, flags_ | (exact ? 0 :
		    STACK9_FRAMES_RETURN), add_frame, &to);
	exact = to.is_of_signal;
	return to.text.empty() ? std::string(line) + "\n" : to.text;
}

std::string
crash_report::named() const
{
	std::string to;
	bool exact = true;	// the address of the next frame
	each_line(text_, [&](std::string_view line) {
		const bool is_frame = line.starts_with(frame_begin);
		to += is_frame ? named_frame(line, exact) :
		    tools::printable(line) + "\n";
		exact = exact || !is_frame;
	});
	return to;
}

// A report has lines "    0xSTART-0xEND OFFSET ADDRESS BUILD-ID PATH", and a
// text of stacks "p BUILD-ID ADDRESS PATH".
std::vector<std::string>
paths_of(std::string_view text)
{
	std::vector<std::string> all;
	each_line(text, [&](std::string_view line) {
		const int before = line.starts_with("    0x") ? 4 :
		    line.starts_with("p ") || line.starts_with("x ") ? 3 : 0;
		for (int n = 0; n < before; n++)
			next_word(line);
		if (before != 0 && line.starts_with(" /"))
			all.emplace_back(line.substr(1));
	});
	std::sort(all.begin(), all.end());
	all.erase(std::unique(all.begin(), all.end()), all.end());
	return all;
}

} // namespace stackreport
