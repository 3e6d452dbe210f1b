// Reads tables of source positions (src/codegen/source-position-table.cc), and
// the ends of the lines of scripts.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "lines.h"

#include <algorithm>

#include "text.h"

namespace stack9::languages::javascript {
namespace {

constexpr std::uint64_t largest_source = 2 << 20, most_lines = 1 << 20;

// Reads numbers of 7 bits a byte, the lowest first, the sign in bit 0.
class numbers {
public:
	explicit numbers(const std::vector<std::uint8_t> &bytes) noexcept
	    : bytes_(bytes) {}

	bool empty() const noexcept { return at_ >= bytes_.size(); }
	std::int64_t
	next() noexcept
	{
		std::uint64_t n = 0, b = 0x80;
		for (unsigned int shift = 0; (b & 0x80) != 0 && !empty();
		    shift += 7) {
			b = bytes_[at_++];
			n |= shift < 64 ? (b & 0x7f) << shift : 0;
		}
		const auto half = static_cast<std::int64_t>(n >> 1);
		return (n & 1) != 0 ? -half - 1 : half;
	}

private:
	const std::vector<std::uint8_t>	&bytes_;
	std::size_t			at_ = 0;
};

// Gives the offset in the source; -1: it is not known.  A negative step in code
// says that no statement begins there.
std::int64_t
position_of(heap &h, tagged bytecode, std::int32_t offset)
{
	tagged table;
	std::vector<std::uint8_t> bytes;
	std::int64_t code = -1, position = 0, found = -1;
	if (!h.field(bytecode, static_cast<std::uint64_t>(
	    h.known().bytecode_positions), table) || !h.bytes_of(table, bytes))
		return -1;
	for (numbers n(bytes); !n.empty();) {
		const std::int64_t step = n.next();
		code += step >= 0 ? step : -(step + 1);
		position += n.next();
		if (code > offset)
			break;
		found = position;
	}
	constexpr std::int64_t offset_mask = 0x3fffffff;
	return found < 0 ? -1 : (found >> 1 & offset_mask) - 1;
}

bool
ends_line(std::uint32_t c, std::uint32_t next) noexcept
{
	return c == '\n' || (c == '\r' && next != '\n') || c == 0x2028 ||
	    c == 0x2029;
}

} // namespace

// The ends that V8 has found once.
bool
scripts::take_line_ends(tagged at, script &to)
{
	tagged ends;
	std::vector<tagged> words;
	if (!heap_.field(at, static_cast<std::uint64_t>(
	    heap_.known().script_line_ends), ends) ||
	    heap_.type_of(ends) != heap_.known().fixed_array ||
	    !heap_.words_of(ends, most_lines, words))
		return false;
	for (const tagged w : words)
		to.line_ends.push_back(static_cast<std::uint32_t>(
		    heap::small(w)));
	return !words.empty() && std::is_sorted(to.line_ends.begin(),
	    to.line_ends.end());
}

void
scripts::find_line_ends(tagged at, script &to)
{
	tagged source;
	characters c;
	to.line_ends.clear();
	if (!heap_.field(at, static_cast<std::uint64_t>(
	    heap_.known().script_source), source) ||
	    !find_characters(heap_, source, c) ||
	    c.length > largest_source)
		return;
	std::vector<std::uint8_t> raw(std::size_t{c.length} * c.width);
	if (raw.empty() || !heap_.memory().read(c.at, raw.data(), raw.size()))
		return;
	const auto unit = [&](std::size_t i) -> std::uint32_t {
		if (i >= c.length)
			return 0;
		return c.width == 1 ? raw[i] :
		    raw[2 * i] | raw[2 * i + 1] << 8;
	};
	for (std::uint32_t i = 0; i < c.length; i++)
		if (ends_line(unit(i), unit(i + 1)))
			to.line_ends.push_back(i);
	to.line_ends.push_back(c.length);
}

const scripts::script &
scripts::read(tagged at)
{
	const auto [known, is_new] = scripts_.try_emplace(at);
	script &s = known->second;
	tagged name;
	if (!is_new)
		return s;
	const layout &l = heap_.known();
	if (heap_.field(at, static_cast<std::uint64_t>(l.script_name), name))
		read_string(heap_, name, s.name);
	if (s.name.empty())
		s.name = "<anonymous>";
	heap_.small_field(at, static_cast<std::uint64_t>(l.script_line_offset),
	    s.first_line);
	if (!take_line_ends(at, s))
		find_line_ends(at, s);
	return s;
}

const std::string &
scripts::name_of(tagged at)
{
	return read(at).name;
}

std::uint32_t
scripts::line_of(tagged at, tagged bytecode, std::int32_t offset)
{
	const std::int64_t position = position_of(heap_, bytecode, offset);
	const script &s = read(at);
	if (position < 0 || s.line_ends.empty() ||
	    position > s.line_ends.back())
		return 0;
	const std::int64_t line = std::lower_bound(s.line_ends.begin(),
	    s.line_ends.end(), static_cast<std::uint32_t>(position)) -
	    s.line_ends.begin() + 1 + s.first_line;
	return line > 0 && line <= INT32_MAX ?
	    static_cast<std::uint32_t>(line) : 0;
}

} // namespace stack9::languages::javascript
