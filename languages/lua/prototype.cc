// Reads a Proto, whose lines 5.3 has one by one, and 5.4 as differences.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "prototype.h"

#include <algorithm>
#include <array>

namespace stack9::languages::lua {
namespace {

constexpr std::uint64_t longest = 1024;
constexpr std::uint32_t most_code = 1 << 20, most_variables = 1 << 12;
constexpr std::uint64_t constants_count = 20, code_count = 24,
    upvalues_count = 16, variables_count = 36;

// The count of a table of a prototype.
std::uint32_t
count_at(unwind::memory &m, std::uint64_t at, std::uint32_t most)
{
	std::uint32_t n;
	return m.read(at, &n, sizeof n) ? std::min(n, most) : 0;
}

// '@' is of a file, '=' of a name that the program gave.  Without either the
// source is the text itself, and its first line is shown.
std::string
shown(const std::string &source)
{
	if (source.starts_with('@') || source.starts_with('='))
		return source.substr(1);
	const std::size_t end = source.find('\n');
	return "[string \"" + source.substr(0, end) +
	    (end == source.npos ? "\"]" : "...\"]");
}

std::uint32_t
line_5_3(unwind::memory &m, std::uint64_t lines, std::size_t instruction)
{
	std::int32_t line;
	return lines != 0 && m.read(lines + 4 * instruction, &line,
	    sizeof line) && line > 0 ? static_cast<std::uint32_t>(line) : 0;
}

// A line beside those that are differences.
struct further_line {
	std::int32_t	instruction, line;
};

further_line
last_before(unwind::memory &m, const layout &l, std::uint64_t proto,
    std::size_t instruction)
{
	further_line found{-1, 0}, one;
	std::uint64_t at;
	const std::uint32_t n = count_at(m, proto + l.further_count,
	    most_code);
	if (n == 0 || !m.word(proto + l.further_lines, at))
		return found;
	for (std::uint32_t i = 0; i < n && m.read(at + i * sizeof one, &one,
	    sizeof one) && one.instruction >= 0 &&
	    static_cast<std::size_t>(one.instruction) <= instruction; i++)
		found = one;
	return found;
}

} // namespace

bool
read_string(unwind::memory &m, std::uint64_t at, std::string &to)
{
	std::uint8_t type, size;
	std::uint64_t length;
	if (at == 0 || !m.read(at + object_type, &type, sizeof type))
		return false;
	if (type == type_short && m.read(at + 11, &size, sizeof size))
		length = size;
	else if (type != type_long || !m.word(at + 16, length))
		return false;
	to.resize(std::min(length, longest));
	if (!to.empty() && !m.read(at + text_at, to.data(), to.size()))
		return false;
	to.resize(std::min(to.size(), to.find('\0')));
	return true;
}

void
read_prototype(unwind::memory &m, const layout &l, std::uint64_t at,
    prototype &to)
{
	std::uint64_t source;
	std::string text;
	if (!m.word(at + l.code, to.code) || !m.word(at + l.source, source) ||
	    !m.read(at + l.first_line, &to.first_line, sizeof to.first_line))
		return;
	to.instructions.resize(count_at(m, at + code_count, most_code));
	if (to.instructions.empty() || !m.read(to.code, to.instructions.data(),
	    to.instructions.size() * sizeof to.instructions[0]))
		return;
	to.source = read_string(m, source, text) ? shown(text) : "?";
	to.at = at;
}

std::uint32_t
line_of(unwind::memory &m, const layout &l, const prototype &p,
    std::size_t instruction)
{
	constexpr std::size_t at_once = 64;
	std::uint64_t lines;
	if (count_at(m, p.at + l.lines_count, most_code) <= instruction ||
	    !m.word(p.at + l.lines, lines))
		return 0;
	if (l.minor == 3)
		return line_5_3(m, lines, instruction);
	further_line base = last_before(m, l, p.at, instruction);
	std::int64_t line = base.instruction < 0 ? p.first_line : base.line;
	std::array<std::int8_t, at_once> part;
	for (auto n = static_cast<std::size_t>(base.instruction + 1);
	    n <= instruction;) {
		const std::size_t some = std::min(at_once, instruction + 1 - n);
		if (!m.read(lines + n, part.data(), some))
			return 0;
		for (std::size_t i = 0; i < some; i++)
			line += part[i];
		n += some;
	}
	return line > 0 && line <= INT32_MAX ?
	    static_cast<std::uint32_t>(line) : 0;
}

std::string
constant_of(unwind::memory &m, const layout &l, const prototype &p,
    std::size_t n)
{
	std::uint64_t at, text;
	std::uint8_t type;
	std::string to;
	if (n >= count_at(m, p.at + constants_count, most_code) ||
	    !m.word(p.at + l.constants, at) ||
	    !m.word(at + n * value_size, text) ||
	    !m.read(at + n * value_size + object_type, &type, sizeof type) ||
	    ((type & type_bits) != type_short &&
	    (type & type_bits) != type_long) || !read_string(m, text, to))
		return "?";
	return to;
}

// Variables come in the order in which they begin.
std::string
variable_of(unwind::memory &m, const layout &l, const prototype &p,
    std::uint32_t number, std::size_t instruction)
{
	struct {
		std::uint64_t	name;
		std::int32_t	begin, end;
	} v;
	std::uint64_t at;
	std::string to;
	const auto now = static_cast<std::int64_t>(instruction);
	const std::uint32_t n = count_at(m, p.at + variables_count,
	    most_variables);
	if (!m.word(p.at + l.variables, at))
		return to;
	for (std::uint32_t i = 0; i < n && m.read(at + i * sizeof v, &v,
	    sizeof v) && v.begin <= now; i++)
		if (now < v.end && number-- == 0)
			return read_string(m, v.name, to) ? to : "";
	return to;
}

std::string
upvalue_of(unwind::memory &m, const layout &l, const prototype &p,
    std::size_t n)
{
	std::uint64_t at, name;
	std::string to;
	if (n >= count_at(m, p.at + upvalues_count, most_variables) ||
	    !m.word(p.at + l.upvalues, at) ||
	    !m.word(at + n * l.upvalue_size, name) ||
	    !read_string(m, name, to))
		return "?";
	return to;
}

std::size_t
position_of(const prototype &p, std::uint64_t pc)
{
	const std::uint64_t offset = pc - p.code;
	return offset < 4 ? 0 : static_cast<std::size_t>(offset / 4 - 1);
}

std::string
place_of(const prototype &p)
{
	return p.at == 0 ? "?" : p.first_line == 0 ? "main chunk" :
	    "function <" + p.source + ":" + std::to_string(p.first_line) + ">";
}

} // namespace stack9::languages::lua
