// Reads lines that are escaped for any terminal, and writes what this one can
// show.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "terminal_text.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

#include "letters.h"

namespace screens {
namespace {

constexpr std::string_view bold = "\033[1m", faint = "\033[2m",
    yellow = "\033[33m", plain = "\033[0m";
constexpr std::size_t of_escape = 4;	// \ooo

// -1: no escaped byte begins here.
int
escaped_byte(std::string_view s)
{
	if (s.size() < of_escape || s[0] != '\\')
		return -1;
	int byte = 0;
	for (std::size_t i = 1; i < of_escape; i++) {
		if (s[i] < '0' || s[i] > '7')
			return -1;
		byte = byte * 8 + s[i] - '0';
	}
	return byte > 0xff ? -1 : byte;
}

// Takes one letter from escaped bytes.  0: they are not UTF-8 of a letter.
std::size_t
letter(std::string_view s, std::string &bytes, char32_t &code)
{
	const int first = escaped_byte(s);
	const std::size_t n = first >= 0xf0 && first < 0xf5 ? 4 :
	    first >= 0xe0 && first < 0xf0 ? 3 :
	    first >= 0xc2 && first < 0xe0 ? 2 : 0;
	if (n == 0)
		return 0;
	bytes.assign(1, static_cast<char>(first));
	code = static_cast<char32_t>(first & (0x7f >> n));
	for (std::size_t i = 1; i < n; i++) {
		const int next = i * of_escape < s.size() ?
		    escaped_byte(s.substr(i * of_escape)) : -1;
		if (next < 0x80 || next > 0xbf)
			return 0;
		bytes += static_cast<char>(next);
		code = code << 6 | static_cast<char32_t>(next & 0x3f);
	}
	constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const bool surrogate = code >= 0xd800 && code < 0xe000;
	return code < least[n] || surrogate || code > 0x10ffff ? 0 : n;
}

// The columns of a letter that may be shown; 0: it may not.
int
columns_of(char32_t code)
{
	struct range {
		char32_t	from, to;
	};
	// Soft hyphen, direction, joiners, separators, fillers, tags, and
	// letters without a meaning that all share.
	constexpr range hidden[] = {{0x80, 0x9f}, {0xad, 0xad}, {0x61c, 0x61c},
	    {0x115f, 0x1160}, {0x180e, 0x180e}, {0x2000, 0x200f},
	    {0x2028, 0x202f}, {0x205f, 0x206f}, {0x3000, 0x3000},
	    {0x3164, 0x3164}, {0xe000, 0xf8ff}, {0xfe00, 0xfe0f},
	    {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb},
	    {0xe0000, 0x10ffff}};
	for (const range &r : hidden)
		if (code >= r.from && code <= r.to)
			return 0;
	const int width = width_of(code);
	return width > 0 ? width : 0;
}

// Columns were made for the escapes; the blanks after them grow.
std::string
line_with_letters(std::string_view line)
{
	const bool has_columns = line.starts_with(' ');
	std::string out, bytes;
	std::size_t saved = 0;
	while (!line.empty()) {
		char32_t code = 0;
		const std::size_t n = letter(line, bytes, code);
		const int width = n == 0 ? 0 : columns_of(code);
		if (width > 0) {
			out += bytes;
			line.remove_prefix(n * of_escape);
			saved += n * of_escape -
			    static_cast<std::size_t>(width);
			continue;
		}
		// A doubled backslash begins no escape.
		const std::size_t taken = line.starts_with("\\\\") ? 2 : 1;
		if (has_columns && saved != 0 && line.starts_with("  ")) {
			out.append(saved, ' ');
			saved = 0;
		}
		out += line.substr(0, taken);
		line.remove_prefix(taken);
	}
	return out;
}

template <class F>
std::string
by_lines(std::string_view text, F f)
{
	std::string out;
	while (!text.empty()) {
		const std::size_t end = text.find('\n');
		out += f(text.substr(0, end));
		if (end == text.npos)
			break;
		out += '\n';
		text.remove_prefix(end + 1);
	}
	return out;
}

std::string
coloured(std::string_view colour, std::string_view text)
{
	return std::string(colour) + std::string(text) + std::string(plain);
}

std::string
coloured_line(std::string_view line)
{
	constexpr std::size_t margin = 10;	// "  kernel  "
	if (line.empty())
		return {};
	if (line[0] != ' ')
		return coloured(bold, line);
	if (line.size() <= margin)
		return std::string(line);
	const std::string_view side = line.substr(0, margin);
	const std::string_view rest = line.substr(margin);
	std::string_view colour;
	if (rest.starts_with("complete"))
		colour = faint;
	else if (rest.starts_with("none: ") || rest.starts_with("stopped: ") ||
	    rest.starts_with("truncated at "))
		colour = yellow;
	return (side.find_first_not_of(' ') == side.npos ? std::string(side) :
	    coloured(faint, side)) + (colour.empty() ||
	    rest.find("+0x") != rest.npos ? std::string(rest) :
	    coloured(colour, rest));
}

} // namespace

std::string
with_letters(std::string_view escaped)
{
	if (escaped.find('\\') == escaped.npos)
		return std::string(escaped);
	const letters_of_locale here;
	return here.are_utf8() ? by_lines(escaped, line_with_letters) :
	    std::string(escaped);
}

std::string
with_colours(std::string_view text)
{
	return by_lines(text, coloured_line);
}

terminal_text::terminal_text(int fd)
{
	if (!isatty(fd))
		return;
	letters_ = letters_of_locale().are_utf8();
	const char *const none = std::getenv("NO_COLOR");
	const char *const term = std::getenv("TERM");
	colours_ = (none == nullptr || *none == '\0') && term != nullptr &&
	    *term != '\0' && std::strcmp(term, "dumb") != 0;
}

std::string
terminal_text::shown(std::string_view text) const
{
	std::string out = letters_ ? with_letters(text) : std::string(text);
	return colours_ ? with_colours(out) : out;
}

} // namespace screens
