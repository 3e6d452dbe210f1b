// Reads strings and arrays (include/ruby/internal/core/rstring.h, rarray.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "objects.h"

#include <algorithm>

namespace stack9::languages::ruby {
namespace {

constexpr std::uint64_t longest_string = 1024, longest_array = 1 << 26;
// Each object begins with its flags and its class.
constexpr std::uint64_t length_at = 16, string_pointer_at = 24,
    array_pointer_at = 32, array_at = 16;
// A String that has this flag is not short; an Array is.
constexpr std::uint64_t second_flag = 1 << 13;

} // namespace

bool
read_object(unwind::memory &m, std::uint64_t value, object &to)
{
	if (value < 4096 || value % 8 != 0 || !m.word(value, to.flags))
		return false;
	to.at = value;
	return true;
}

bool
read_string(unwind::memory &m, const layout &l, std::uint64_t value,
    std::string &to)
{
	object o;
	std::uint64_t length = 0, at = value + l.short_string;
	to.clear();
	if (!read_object(m, value, o) || o.what() != kind::string)
		return false;
	const bool is_long = (o.flags & second_flag) != 0;
	if (!is_long && l.has_short_length)
		length = o.flags >> 14 & 0x1f;
	else if (!m.word(value + length_at, length))
		return false;
	if (is_long && !m.word(value + string_pointer_at, at))
		return false;
	to.resize(std::min(length, longest_string));
	if (to.empty() || m.read(at, to.data(), to.size()))
		return true;
	to.clear();
	return false;
}

bool
read_array(unwind::memory &m, const layout &l, std::uint64_t value, values &to)
{
	object o;
	if (!read_object(m, value, o) || o.what() != kind::array)
		return false;
	if ((o.flags & second_flag) != 0) {
		to = {value + array_at, (o.flags & l.short_array) >> 15};
		return true;
	}
	return m.word(value + length_at, to.count) &&
	    m.word(value + array_pointer_at, to.at) &&
	    to.count <= longest_array;
}

bool
read_value(unwind::memory &m, const values &v, std::uint64_t index,
    std::uint64_t &value)
{
	return index < v.count && m.word(v.at + 8 * index, value);
}

} // namespace stack9::languages::ruby
