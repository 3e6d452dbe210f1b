// Reads the words and the objects of V8's heap.  A word whose two low bits are
// 01 leads to an object.  An object begins with a pointer to its map.  A word
// whose low half is 0 is a small integer.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "layout.h"

namespace stack9::languages::javascript {

using tagged = std::uint64_t;

class heap {
public:
	heap(unwind::memory &m, const layout &l) noexcept : m_(m), l_(l) {}

	static bool is_object(tagged w) noexcept { return (w & 3) == 1; }
	static bool
	is_small(tagged w) noexcept
	{
		return static_cast<std::uint32_t>(w) == 0;
	}
	static std::int32_t
	small(tagged w) noexcept
	{
		return static_cast<std::int32_t>(w >> 32);
	}

	// Reads bytes of an object.  False: there is no object, or it cannot
	// be read.
	bool
	bytes(tagged object, std::uint64_t offset, void *to, std::size_t size)
	    noexcept
	{
		return is_object(object) &&
		    m_.read(object - 1 + offset, to, size);
	}
	bool
	field(tagged object, std::uint64_t offset, tagged &to) noexcept
	{
		return bytes(object, offset, &to, sizeof to);
	}
	// The same, of a field that has a small integer.
	bool small_field(tagged object, std::uint64_t offset, std::int32_t &to)
	    noexcept;

	// Gives the number of an object's type; -1: there is none.
	std::int32_t type_of(tagged) noexcept;
	bool is_function(tagged) noexcept;
	bool is_string(tagged) noexcept;

	// Gives the elements of an array of words or of bytes.  False: it is
	// none, or longer than the limit.
	bool words_of(tagged array, std::uint64_t most,
	    std::vector<tagged> &to);
	bool bytes_of(tagged array, std::vector<std::uint8_t> &to);

	unwind::memory &memory() noexcept { return m_; }
	const layout &known() const noexcept { return l_; }

	static constexpr std::uint64_t length_at = 8, elements_at = 16;

private:
	unwind::memory	&m_;
	const layout	&l_;
};

} // namespace stack9::languages::javascript
