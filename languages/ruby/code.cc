// Reads rb_iseq_t and its table of lines, whose index is a set of positions in
// compact form (vm_core.h, iseq.c).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "code.h"

#include <array>
#include <bit>
#include <climits>

namespace stack9::languages::ruby {
namespace {

constexpr std::uint64_t body_at = 16;
// A body begins with its type and size, 32 bits each, and its instructions.
// Its location has a file, the name without decoration, and the name.
constexpr std::uint64_t begin_at = 8, location_at = 64;
constexpr std::uint32_t type_method = 1;
constexpr std::uint64_t most_positions = 1 << 24;

bool
read_file(unwind::memory &m, const layout &l, std::uint64_t value,
    std::string &to)
{
	values path;
	return read_array(m, l, value, path) ? read_value(m, path, 0, value) &&
	    read_string(m, l, value, to) : read_string(m, l, value, to);
}

// For positions up to 53 there are words of nine numbers of seven bits: how
// many entries begin up to there.  Those after that are in blocks of 512.  A
// block has the number of entries before it, nine bits for the entries before
// each of its words but the first, and words with a bit where an entry begins.
bool
entry_of(unwind::memory &m, std::uint64_t table, std::uint64_t position,
    std::uint64_t &to)
{
	constexpr std::uint64_t immediate = 54, a_word = 9, block = 512,
	    bits_at = 16, block_size = bits_at + block / 8;
	std::uint64_t word;
	if (position < immediate) {
		if (!m.word(table + position / a_word * 8, word))
			return false;
		to = word >> position % a_word * 7 & 0x7f;
		return true;
	}
	position -= immediate;
	const std::uint64_t at = table + immediate / a_word * 8 +
	    position / block * block_size;
	const std::uint64_t n = position % block / 64, bit = position % 64;
	std::array<std::uint64_t, 2> ranks;
	if (!m.read(at, ranks.data(), sizeof ranks) ||
	    !m.word(at + bits_at + n * 8, word))
		return false;
	to = (ranks[0] & UINT_MAX) + (n == 0 ? 0 : ranks[1] >> (n - 1) * 9 &
	    0x1ff) + static_cast<unsigned int>(std::popcount(word << (63 -
	    bit)));
	return true;
}

} // namespace

bool
read_compiled(unwind::memory &m, const layout &l, std::uint64_t at,
    compiled &to)
{
	struct location {
		std::uint64_t	file, base, label;
	} where;
	std::uint64_t method_body;
	std::array<std::uint32_t, 2> type_and_size;
	std::uint32_t type;
	if (!m.word(at + body_at, to.body) || to.body == 0 ||
	    !m.read(to.body, type_and_size.data(), sizeof type_and_size) ||
	    !m.word(to.body + begin_at, to.begin) ||
	    !m.read(to.body + location_at, &where, sizeof where) ||
	    !m.word(to.body + l.local_code, to.method) ||
	    !read_string(m, l, where.label, to.label)) {
		to.body = 0;
		return false;
	}
	to.size = type_and_size[1];
	read_string(m, l, where.base, to.base);
	to.has_file = read_file(m, l, where.file, to.file);
	to.is_method = m.word(to.method + body_at, method_body) &&
	    m.read(method_body, &type, sizeof type) && type == type_method;
	return true;
}

bool
has_class(const compiled &c)
{
	return c.is_method && !c.base.empty() && c.label.ends_with(c.base);
}

void
add_class(const compiled &c, const std::string &its, std::string &label)
{
	label.insert(label.size() - c.base.size(), its);
}

std::uint32_t
line_of(unwind::memory &m, const layout &l, const compiled &c,
    std::uint64_t position)
{
	struct lines {
		std::uint64_t	entries, positions, count, table;
	} all;
	const std::uint64_t offset = (position - c.begin) / 8;
	std::uint64_t entry = 1;
	std::int32_t line;
	if (position < c.begin || offset > c.size || offset > most_positions ||
	    !m.read(c.body + l.lines, &all, sizeof all))
		return 0;
	all.count &= UINT_MAX;
	if (all.count > 1 && (all.table == 0 || !entry_of(m, all.table,
	    offset - (offset > 0), entry)))
		return 0;
	if (entry == 0 || entry > all.count || !m.read(all.entries +
	    (entry - 1) * l.line_size, &line, sizeof line))
		return 0;
	return line > 0 ? static_cast<std::uint32_t>(line) : 0;
}

} // namespace stack9::languages::ruby
