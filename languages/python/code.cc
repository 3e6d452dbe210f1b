// Reads code objects, and their tables of lines: co_lnotab up to 3.9, then
// co_linetable in two forms (Objects/lnotab_notes.txt, Objects/locations.md,
// Objects/codeobject.c).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "code.h"

#include <cstddef>
#include <string_view>

#include "text.h"

namespace stack9::languages::python {
namespace {

// Reads bytes of a table, one after the other.
class table {
public:
	explicit table(std::string_view bytes) noexcept : rest_(bytes) {}

	bool empty() const noexcept { return rest_.empty(); }
	std::uint8_t
	byte() noexcept
	{
		if (rest_.empty())
			return 0;
		const auto b = static_cast<std::uint8_t>(rest_[0]);
		rest_.remove_prefix(1);
		return b;
	}
	std::int32_t
	signed_byte() noexcept
	{
		return static_cast<std::int8_t>(byte());
	}
	// Six bits a byte, the lowest first; bit 6 says that more follow.
	std::uint32_t
	number() noexcept
	{
		std::uint32_t n = 0, b = 0x40;
		for (unsigned int shift = 0; (b & 0x40) != 0 && !rest_.empty();
		    shift += 6) {
			b = byte();
			n |= shift < 32 ? (b & 0x3f) << shift : 0;
		}
		return n;
	}
	std::int32_t
	signed_number() noexcept
	{
		const std::uint32_t n = number();
		const auto half = static_cast<std::int32_t>(n >> 1);
		return (n & 1) != 0 ? -half : half;
	}

private:
	std::string_view	rest_;
};

std::uint32_t
positive(std::int64_t line) noexcept
{
	return line > 0 && line <= INT32_MAX ?
	    static_cast<std::uint32_t>(line) : 0;
}

// Pairs of a number of bytes and of lines.  A pair counts from its end on.
std::uint32_t
line_3_9(const code_object &c, std::int64_t offset)
{
	std::int64_t line = c.first_line, at = 0;
	for (table t(c.lines); !t.empty();) {
		at += t.byte();
		if (at > offset)
			break;
		line += t.signed_byte();
	}
	return positive(line);
}

// The same, but a pair holds for its bytes; -128: they are of no line.
std::uint32_t
line_3_10(const code_object &c, std::int64_t offset)
{
	std::int64_t line = c.first_line, at = 0;
	if (offset < 0)
		return c.first_line;	// it has not begun
	for (table t(c.lines); !t.empty();) {
		at += t.byte();
		const std::int32_t by = t.signed_byte();
		line += by == -128 ? 0 : by;
		if (at > offset)
			return by == -128 ? 0 : positive(line);
	}
	return 0;
}

// Entries of locations.  Each begins with a byte 1ccccnnn: the code c, and n
// units of code less one.
std::uint32_t
line_3_11(const code_object &c, std::int64_t unit)
{
	constexpr unsigned int no_location = 15, long_form = 14,
	    no_columns = 13, one_line = 10;
	std::int64_t line = c.first_line, at = 0;
	for (table t(c.lines); !t.empty();) {
		const std::uint8_t first = t.byte();
		const unsigned int code = first >> 3 & 15;
		if ((first & 0x80) == 0)
			return 0;
		at += (first & 7) + 1;
		if (code == long_form || code == no_columns)
			line += t.signed_number();
		if (code == long_form)
			for (int n = 0; n < 3; n++)
				t.number();
		else if (code >= one_line && code < no_columns)
			line += code - one_line;
		if (code < no_columns)
			t.byte();
		if (code >= one_line && code < no_columns)
			t.byte();
		if (at > unit)
			return code == no_location ? 0 : positive(line);
	}
	return 0;
}

} // namespace

bool
read_code(unwind::memory &m, const layout &l, std::uint64_t at,
    code_object &to)
{
	std::uint64_t name, file, lines;
	std::int32_t first;
	if (!m.word(at + l.qualname, name) || !m.word(at + l.filename, file) ||
	    !m.word(at + l.lines, lines) ||
	    !m.read(at + l.first_line, &first, sizeof first) ||
	    !read_str(m, l, name, to.name) || !read_str(m, l, file, to.file))
		return false;
	to.at = at;
	to.first_line = positive(first);
	if (!read_bytes(m, l, lines, to.lines))
		to.lines.clear();
	return true;
}

// Since 3.11 the position is the address of an instruction in the code object,
// or in the copy of its code that a thread has in a free-threaded build.
std::uint32_t
line_of(unwind::memory &m, const layout &l, const code_object &c,
    std::uint64_t position, std::uint64_t thread_code_index)
{
	constexpr std::uint64_t unit = 2, largest = 1 << 28;
	const auto last = static_cast<std::int32_t>(position);
	if (l.minor <= 10 && last < 0)
		return c.first_line;
	if (l.minor == 9)
		return line_3_9(c, last);
	if (l.minor == 10)
		return line_3_10(c, std::int64_t{unit} * last);
	std::uint64_t begin = c.at + l.bytecode, copies;
	if (l.thread_codes != 0 && thread_code_index != 0 &&
	    (!m.word(c.at + l.thread_codes, copies) ||
	    !m.word(copies + 8 + 8 * thread_code_index, begin)))
		return 0;
	const std::uint64_t offset = position - begin;
	if (offset == -unit)	// the function begins
		return c.first_line;
	return offset <= largest ? line_3_11(c,
	    static_cast<std::int64_t>(offset / unit)) : 0;
}

} // namespace stack9::languages::python
