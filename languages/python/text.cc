// Reads str and bytes objects (Include/cpython/unicodeobject.h, bytesobject.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "text.h"

#include <algorithm>
#include <cstring>

#include "languages/utf8.h"

namespace stack9::languages::python {
namespace {

constexpr std::uint64_t longest_str = 1024, largest_bytes = 1 << 20;

// The state of a str: the bytes of a character, and whether all are ASCII.
struct str_state {
	unsigned int	kind;
	bool		is_ascii;
};

// The first member, `interned`, has 2, 8 or 16 bits, by release and build.  It
// is at most 3, so that a kind is found after it in one place only.
bool
state_of(std::uint32_t word, str_state &to) noexcept
{
	for (const unsigned int shift : {2u, 8u, 16u}) {
		const unsigned int kind = word >> shift & 7;
		const bool is_compact = (word >> shift & 8) != 0;
		const bool is_ascii = (word >> shift & 16) != 0;
		if (is_compact && (kind == 1 || kind == 2 || kind == 4) &&
		    (!is_ascii || kind == 1)) {
			to = {kind, is_ascii};
			return true;
		}
	}
	return false;
}

} // namespace

bool
read_str(unwind::memory &m, const layout &l, std::uint64_t at, std::string &to)
{
	const std::uint64_t header = header_of(l);
	std::uint64_t length;
	std::uint32_t word;
	str_state state;
	to.clear();
	if (!m.read(at + header, &length, sizeof length) ||
	    !m.read(at + header + 16, &word, sizeof word) ||
	    !state_of(word, state))
		return false;
	length = std::min(length, longest_str);
	// Up to 3.11 a wchar_t * lies before the characters, and in those that
	// are not ASCII three words do.
	const std::uint64_t old = l.minor <= 11 ? 8 : 0;
	const std::uint64_t from = at + header + 24 + old +
	    (state.is_ascii ? 0 : 16 + old);
	std::string raw(length * state.kind, '\0');
	if (!raw.empty() && !m.read(from, raw.data(), raw.size()))
		return false;
	for (std::uint64_t i = 0; i < length; i++) {
		std::uint32_t c = 0;
		std::memcpy(&c, raw.data() + i * state.kind, state.kind);
		if (c == 0)
			break;
		put_utf8(c, to);
	}
	return true;
}

bool
read_bytes(unwind::memory &m, const layout &l, std::uint64_t at,
    std::string &to)
{
	const std::uint64_t header = header_of(l);
	std::uint64_t size;
	if (!m.read(at + header, &size, sizeof size) || size > largest_bytes)
		return false;
	to.resize(size);
	return size == 0 || m.read(at + header + 16, to.data(), to.size());
}

bool
read_number(unwind::memory &m, const layout &l, std::uint64_t at,
    std::uint64_t &to)
{
	struct {
		std::uint64_t	size;
		std::uint32_t	digit[2];
	} i;
	if (at == 0 || !m.read(at + header_of(l), &i, sizeof i))
		return false;
	const std::uint64_t digits = l.minor >= 12 ? i.size >> 3 : i.size;
	if (digits != 1 && digits != 2)
		return false;
	to = i.digit[0];
	if (digits == 2)
		to += std::uint64_t{i.digit[1]} << 30;
	return true;
}

} // namespace stack9::languages::python
