// Keeps a Proto, its tables, and the texts that these lead to.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "prototype.h"

namespace stack9::languages::lua {
namespace {

constexpr std::uint64_t begin_of_proto = 16, longest_text = 1024;
constexpr std::uint32_t most_elements = 1 << 16;
constexpr std::uint64_t upvalues_n = 16, constants_n = 20, code_n = 24,
    variables_n = 36;

class keeping {
public:
	keeping(unwind::memory &m, std::uint64_t at, kept_memory &to) noexcept
	    : m_(m), at_(at), to_(to) {}

	// size: of an element of the table.
	void keep_table(std::uint64_t table, std::uint64_t count,
	    std::size_t size);
	// Keeps the texts whose addresses begin its elements, too; are_values:
	// of those elements that have the type of one.
	void keep_texts_of(std::uint64_t table, std::uint64_t count,
	    std::size_t size, bool are_values = false);
	void keep_text(std::uint64_t at);

private:
	std::uint32_t number_of(std::uint64_t count);

	unwind::memory		&m_;
	const std::uint64_t	at_;
	kept_memory		&to_;
};

std::uint32_t
keeping::number_of(std::uint64_t count)
{
	std::uint32_t n;
	return m_.read(at_ + count, &n, sizeof n) ?
	    std::min(n, most_elements) : 0;
}

void
keeping::keep_table(std::uint64_t table, std::uint64_t count, std::size_t size)
{
	std::uint64_t begin;
	const std::uint32_t n = number_of(count);
	if (n != 0 && m_.word(at_ + table, begin))
		to_.keep(m_, begin, n * size);
}

// The collector's marks of an object change, and so does the link of a short
// text.
void
keeping::keep_text(std::uint64_t at)
{
	constexpr std::uint64_t short_size = 11, long_size = 16;
	std::uint8_t type, size;
	std::uint64_t length = 0;
	if (!m_.read(at + object_type, &type, sizeof type) ||
	    !m_.read(at + short_size, &size, sizeof size) ||
	    !m_.word(at + long_size, length) ||
	    (type != type_short && type != type_long))
		return;
	to_.keep(m_, at + object_type, sizeof type);
	if (type == type_short)
		to_.keep(m_, at + short_size, sizeof size);
	else
		to_.keep(m_, at + long_size, sizeof length);
	to_.keep(m_, at + text_at, type == type_short ? size :
	    std::min(length, longest_text));
}

void
keeping::keep_texts_of(std::uint64_t table, std::uint64_t count,
    std::size_t size, bool are_values)
{
	std::uint64_t begin, text;
	const std::uint32_t n = number_of(count);
	keep_table(table, count, size);
	if (n == 0 || !m_.word(at_ + table, begin))
		return;
	for (std::uint64_t at = begin; at < begin + n * size; at += size) {
		std::uint8_t type = type_short;
		if (to_.word(at, text) && (!are_values ||
		    to_.read(at + object_type, &type, sizeof type)) &&
		    ((type & type_bits) == type_short ||
		    (type & type_bits) == type_long))
			keep_text(text);
	}
}

} // namespace

void
keep_prototype(unwind::memory &m, const layout &l, std::uint64_t at,
    kept_memory &to)
{
	constexpr std::size_t of_line = 4, of_further_line = 8,
	    of_variable = 16;
	std::uint64_t source;
	keeping k(m, at, to);
	to.keep(m, at + begin_of_proto, (l.minor == 3 ? l.upvalues :
	    l.variables) + 8u - begin_of_proto);
	to.keep(m, at + l.source, 8);
	k.keep_table(l.code, code_n, 4);
	k.keep_table(l.lines, l.lines_count, l.minor == 3 ? of_line : 1);
	if (l.further_count != 0)
		k.keep_table(l.further_lines, l.further_count,
		    of_further_line);
	k.keep_texts_of(l.constants, constants_n, value_size, true);
	k.keep_texts_of(l.upvalues, upvalues_n, l.upvalue_size);
	k.keep_texts_of(l.variables, variables_n, of_variable);
	if (m.word(at + l.source, source))
		k.keep_text(source);
}

} // namespace stack9::languages::lua
