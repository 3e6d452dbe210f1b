// Reads the code and the methods that events have reported, and keeps what
// their names and lines need.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "reported_code.h"

namespace stack9::languages::ruby {
namespace {

constexpr unsigned int internal_code = 7;
constexpr std::size_t most_of_lines = 1 << 20;

} // namespace

// Code whose file cannot be read is being freed: the collector frees the parts
// of a function in any order.
// The table of positions may be shorter than it would be for all instructions.
bool
read_reported(unwind::memory &m, const layout &l, std::uint64_t at,
    reported_code &to, std::size_t &bytes)
{
	constexpr std::uint64_t of_lines = 32, count_at = 16, table_at = 24,
	    head = 64, block = 512, of_block = 80;
	object o;
	std::uint64_t entries, count, table;
	if (!read_object(m, at, o) || o.what() != kind::internal ||
	    o.internal_kind() != internal_code ||
	    !read_compiled(m, l, at, to.its) || !to.its.has_file ||
	    !m.word(to.its.begin, to.instruction) ||
	    !m.word(to.its.body + l.lines, entries) ||
	    !m.word(to.its.body + l.lines + count_at, count) ||
	    !m.word(to.its.body + l.lines + table_at, table))
		return false;
	const std::size_t of_entries = (count & 0xffffffff) * l.line_size,
	    of_table = head + (to.its.size / block + 1) * of_block;
	bytes = to.its.label.size() + to.its.base.size() + to.its.file.size();
	if (of_entries > most_of_lines || of_table > most_of_lines)
		return true;
	to.lines.keep(m, to.its.body + l.lines, of_lines);
	to.lines.keep(m, entries, of_entries);
	if (table != 0)
		to.lines.keep(m, table, of_table);
	bytes += of_entries + of_table;
	return true;
}

bool
read_reported(unwind::memory &m, names &n, std::uint64_t at,
    reported_method &to, std::size_t &bytes)
{
	if (!read_method(m, at, to.its))
		return false;
	to.of_class = n.of_class(to.its.owner);
	if (to.its.code == 0)
		to.name = n.of_function(to.its);
	bytes = to.of_class.size() + to.name.size();
	return true;
}

} // namespace stack9::languages::ruby
