// Reads methods, their constant pools and symbols (method.hpp, constMethod.hpp,
// constantPool.hpp, symbol.hpp).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "method.h"

#include <algorithm>
#include <string_view>

#include "packed.h"

namespace stack9::languages::java {
namespace {

constexpr std::size_t longest_symbol = 1024;
constexpr std::uint16_t is_native = 0x100;	// JVM_ACC_NATIVE

unsigned int
unit_at(std::string_view s, std::size_t i) noexcept
{
	const auto byte = [&](std::size_t n) -> unsigned int {
		return n < s.size() ? static_cast<unsigned char>(s[n]) : 0;
	};
	return (byte(i) & 0xf0) == 0xe0 && (byte(i + 1) & 0xc0) == 0x80 &&
	    (byte(i + 2) & 0xc0) == 0x80 ? (byte(i) & 15) << 12 |
	    (byte(i + 1) & 63) << 6 | (byte(i + 2) & 63) : 0;
}

// A symbol has two surrogates of three bytes each in the place of a character
// of four bytes.
std::string
to_utf8(std::string_view s)
{
	std::string to;
	to.reserve(s.size());
	for (std::size_t i = 0; i < s.size();) {
		const unsigned int high = unit_at(s, i);
		const unsigned int low = unit_at(s, i + 3);
		if (high < 0xd800 || high >= 0xdc00 || low < 0xdc00 ||
		    low >= 0xe000) {
			to.push_back(s[i++]);
			continue;
		}
		const unsigned int c = 0x10000 + ((high - 0xd800) << 10) +
		    (low - 0xdc00);
		for (const unsigned int byte : {0xf0 | c >> 18,
		    0x80 | (c >> 12 & 63), 0x80 | (c >> 6 & 63),
		    0x80 | (c & 63)})
			to.push_back(static_cast<char>(byte));
		i += 6;
	}
	return to;
}

bool
read_symbol(unwind::memory &m, const layout &l, std::uint64_t at,
    std::string &to)
{
	std::uint16_t length;
	if (at == 0 || !get(m, l.symbol_length != none ? at + l.symbol_length :
	    at + l.symbol_counted_length + 2, length))
		return false;
	std::string raw(std::min<std::size_t>(length, longest_symbol), '\0');
	if (!m.read(at + l.symbol_body, raw.data(), raw.size()))
		return false;
	to = to_utf8(raw);
	return true;
}

bool
symbol_in(unwind::memory &m, const layout &l, std::uint64_t pool,
    std::uint16_t index, std::string &to)
{
	std::int32_t length;
	std::uint64_t symbol;
	return get(m, pool + l.pool_length, length) && index != 0 &&
	    index < length &&
	    m.word(pool + l.sizeof_pool + 8 * std::uint64_t{index}, symbol) &&
	    read_symbol(m, l, symbol & ~std::uint64_t{1}, to);
}

// Makes a class's name that of the language.  The name of a hidden class ends
// with an address after a '+'.  Class.getName() has a '/' there.
void
to_external(std::string &name)
{
	std::replace(name.begin(), name.end(), '/', '.');
	const std::size_t plus = name.rfind("+0x");
	if (plus != name.npos && name.find_first_not_of("0123456789abcdef",
	    plus + 3) == name.npos)
		name[plus] = '/';
}

} // namespace

bool
read_class_name(unwind::memory &m, const layout &l, std::uint64_t at,
    std::string &to)
{
	std::uint64_t name;
	if (at == 0 || at % 8 != 0 || !m.word(at + l.class_name, name) ||
	    name % 4 != 0 || !read_symbol(m, l, name, to))
		return false;
	to_external(to);
	return true;
}

bool
read_method(unwind::memory &m, const layout &l, std::uint64_t at, method &to)
{
	std::uint64_t constant, pool, holder;
	std::uint16_t flags, method_flags, code_size, index, file = 0;
	std::string own;
	if (at == 0 || at % 8 != 0 || !m.word(at + l.const_method, constant) ||
	    constant == 0 || constant % 8 != 0 ||
	    !get(m, at + l.access_flags, flags) ||
	    !m.word(constant + l.constants, pool) || pool == 0 ||
	    !get(m, constant + l.method_flags, method_flags) ||
	    !get(m, constant + l.method_code_size, code_size) ||
	    !get(m, constant + l.name_index, index) ||
	    !m.word(pool + l.pool_holder, holder) ||
	    !read_class_name(m, l, holder, to.name) ||
	    !symbol_in(m, l, pool, index, own))
		return false;
	to.name += '.';
	to.name += own;
	if (l.pool_file != none)
		get(m, pool + l.pool_file, file);
	else if (l.class_file != none)
		get(m, holder + l.class_file, file);
	if (file == 0 || !symbol_in(m, l, pool, file, to.file))
		to.file.clear();
	to.at = at;
	to.is_native = (flags & is_native) != 0;
	to.code = constant + l.sizeof_const_method;
	to.code_size = code_size;
	to.has_lines = (method_flags & 1) != 0;
	return true;
}

void
touch_lines(unwind::memory &m, const method &of)
{
	char most[192];
	if (of.has_lines)
		m.read(of.code + of.code_size, most, sizeof most);
}

// A table begins after the bytecodes.  A line holds from its bytecode on; the
// entries need not be in order.
std::uint32_t
line_of(unwind::memory &m, const layout &l, const method &of,
    std::uint32_t index)
{
	constexpr std::uint8_t escape = 0xff;
	constexpr unsigned int most = 1 << 17;
	if (!of.has_lines || of.is_native)
		return 0;
	packed table(m, l, of.code + of.code_size);
	std::int64_t at = 0, line = 0, best = -1, best_line = 0;
	for (unsigned int n = 0; n < most; n++) {
		const std::uint8_t b = table.byte();
		if (b == 0)
			break;
		if (b == escape) {
			at += table.signed_number();
			line += table.signed_number();
		} else {
			at += b >> 3;
			line += b & 7;
		}
		if (at <= index && at >= best) {
			best = at;
			best_line = line;
		}
		if (at == index)
			break;
	}
	return best_line > 0 && best_line <= UINT16_MAX ?
	    static_cast<std::uint32_t>(best_line) : 0;
}

} // namespace stack9::languages::java
