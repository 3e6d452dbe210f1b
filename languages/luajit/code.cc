// Reads prototypes and their debug information (lj_debug.c, lj_bc.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "code.h"

#include <algorithm>
#include <iterator>

#include "instructions.h"
#include "layout.h"

namespace stack9::languages::luajit {
namespace {

constexpr std::uint32_t most_code = 1 << 20, longest = 1024;
constexpr std::size_t most_names = 1 << 16;
constexpr int most_moves = 256;

bool
read_text(memory &m, std::uint64_t at, std::string &to)
{
	std::uint8_t type;
	std::uint32_t size;
	if (!m.read(at + object_type, &type, sizeof type) ||
	    type != type_string ||
	    !m.read(at + string_size, &size, sizeof size))
		return false;
	to.resize(std::min(size, longest));
	if (!to.empty() && !m.read(at + string_text, to.data(), to.size()))
		return false;
	to.resize(std::min(to.size(), to.find('\0')));
	return true;
}

std::string
shown_source(const std::string &name)
{
	if (name.starts_with('@') || name.starts_with('='))
		return name.substr(1);
	const std::size_t end = name.find('\n');
	return "[string \"" + name.substr(0, end) +
	    (end == name.npos ? "\"]" : "...\"]");
}

// Bytes that follow one another.
class bytes_at {
public:
	bytes_at(memory &m, std::uint64_t at) noexcept : m_(m), at_(at) {}

	std::uint8_t
	next() noexcept
	{
		std::uint8_t b = 0;
		ok_ = ok_ && left_-- != 0 && m_.read(at_++, &b, sizeof b);
		return b;
	}
	std::uint32_t
	number() noexcept
	{
		std::uint32_t n = 0;
		std::uint8_t b = 0x80;
		for (unsigned int shift = 0; (b & 0x80) != 0 && ok_;
		    shift += 7) {
			b = next();
			n |= shift < 32 ? (b & 0x7fu) << shift : 0;
		}
		return n;
	}
	// The rest of a text that ends with a NUL.
	void
	text(std::string &to)
	{
		for (char c; (c = static_cast<char>(next())) != '\0' && ok_;)
			to.push_back(c);
	}
	bool ok() const noexcept { return ok_; }

private:
	memory		&m_;
	std::uint64_t	at_;
	std::size_t	left_ = most_names;
	bool		ok_ = true;
};

} // namespace

code::code(memory &m, std::uint64_t prototype) : m_(m), at_(prototype)
{
	std::uint8_t type;
	std::uint32_t count;
	std::uint64_t name;
	std::string text;
	if (!m_.read(at_ + object_type, &type, sizeof type) ||
	    type != type_prototype ||
	    !m_.read(at_ + proto_count, &count, sizeof count) ||
	    count > most_code || !m_.word(at_ + proto_name, name) ||
	    !m_.read(at_ + proto_first_line, &first_line_,
	    sizeof first_line_) ||
	    !m_.read(at_ + proto_lines_count, &lines_, sizeof lines_))
		return;
	source_ = read_text(m_, name & address_bits, text) ?
	    shown_source(text) : "?";
	instructions_.resize(count);
	if (count != 0 && !m_.read(at_ + proto_size, instructions_.data(),
	    count * sizeof instructions_[0]))
		instructions_.clear();
}

std::string
code::place() const
{
	if (!is_known())
		return "?";
	return first_line_ == 0 && lines_ != 0 ? "main chunk" :
	    "function <" + source_ + ":" + std::to_string(first_line_) + ">";
}

std::size_t
code::position(std::uint64_t pc) const noexcept
{
	const std::uint64_t n = (pc - at_ - proto_size) / 4;
	return pc > at_ + proto_size && n <= instructions_.size() ?
	    static_cast<std::size_t>(n - 1) : 0;
}

// The table has differences to the first line, as small as they all may be.
std::uint32_t
code::line(std::uint64_t pc) const
{
	std::uint64_t table;
	std::uint32_t by = 0;
	const std::size_t n = position(pc), size = lines_ < 256 ? 1 :
	    lines_ < 65536 ? 2 : 4;
	if (n == 0 || lines_ < 0 || !m_.word(at_ + proto_lines, table) ||
	    table == 0 || !m_.read(table + (n - 1) * size, &by, size))
		return 0;
	const std::int64_t line = std::int64_t{first_line_} + by;
	return line > 0 && line <= INT32_MAX ?
	    static_cast<std::uint32_t>(line) : 0;
}

// Variables come in the order in which they begin; numbers below 7 stand for
// the loop's own.
std::string
code::variable(std::size_t at, std::uint32_t slot) const
{
	static constexpr const char *of_loops[] = {"", "(for index)",
	    "(for limit)", "(for step)", "(for generator)", "(for state)",
	    "(for control)"};
	std::uint64_t names;
	if (!m_.word(at_ + proto_variable_names, names) || names == 0)
		return "";
	bytes_at all(m_, names);
	for (std::uint64_t begin = 0; all.ok();) {
		const std::uint8_t first = all.next();
		std::string name;
		if (first == 0)
			break;
		if (first < std::size(of_loops)) {
			name = of_loops[first];
		} else {
			name.push_back(static_cast<char>(first));
			all.text(name);
		}
		begin += all.number();
		if (begin > at)
			break;
		if (at < begin + all.number() && slot-- == 0)
			return all.ok() ? name : "";
	}
	return "";
}

std::string
code::upvalue(std::uint32_t n) const
{
	std::uint8_t count;
	std::uint64_t names;
	std::string name;
	if (!m_.read(at_ + proto_upvalues_count, &count, sizeof count) ||
	    n >= count || !m_.word(at_ + proto_upvalue_names, names) ||
	    names == 0)
		return "";
	for (bytes_at all(m_, names); all.ok(); n--) {
		name.clear();
		all.text(name);
		if (n == 0)
			return name;
	}
	return "";
}

// Constants that are objects lie below the others.
std::string
code::constant(std::uint32_t n) const
{
	std::uint64_t constants, text;
	std::string to;
	return m_.word(at_ + proto_constants, constants) &&
	    m_.word(constants - 8 * (std::uint64_t{n} + 1), text) &&
	    read_text(m_, text & address_bits, to) ? to : "";
}

// The last instruction before that changes the slot has put the function there.
std::string
code::in_slot(std::size_t at, std::uint32_t slot) const
{
	for (int moves = 0; moves < most_moves; moves++) {
		if (const std::string v = variable(at, slot); !v.empty())
			return v;
		const auto changes = [&](std::size_t n) {
			const std::uint32_t i = instructions_[n];
			return (changes_all(op_of(i)) && slot >= a_of(i) &&
			    (op_of(i) != load_nil || slot <= d_of(i))) ||
			    (changes_one(op_of(i)) && slot == a_of(i));
		};
		for (at--; at > 0 && !changes(at);)
			at--;
		if (at == 0)
			return "";
		const std::uint32_t i = instructions_[at];
		switch (op_of(i)) {
		case move:
			slot = d_of(i);
			continue;
		case get_global:
			return constant(d_of(i));
		case get_field:
			return constant(c_of(i));
		case get_upvalue:
			return upvalue(d_of(i));
		}
		return "";
	}
	return "";
}

std::string
code::called(std::uint64_t pc) const
{
	const std::size_t at = position(pc);
	if (at == 0)
		return "";
	const std::uint32_t i = instructions_[at], op = op_of(i);
	if (op >= call_first && op <= call_last)
		return in_slot(at, op >= iterate_call ? a_of(i) - 3 :
		    a_of(i));
	return event_of(op);
}

} // namespace stack9::languages::luajit
