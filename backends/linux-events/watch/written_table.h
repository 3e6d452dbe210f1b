// Numbers the functions of languages that stacks of a watch have, so that
// stacks are distinguished by numbers.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/seam/written.h"

namespace stack9::events {

// A frame of a language's runtime.
struct woven_frame {
	std::uint32_t	at, flags;	// as in written_frame
	std::uint32_t	function;	// its number
	std::uint32_t	reserved;
};

struct woven_frames {
	std::vector<woven_frame> frames;	// innermost first
	bool		lacking = false;	// others are not among them
};

class written_table {
public:
	// Throws std::bad_alloc.
	void put(const written_stack &, woven_frames &to);
	// Gives the frames with their texts again.  Throws std::bad_alloc.
	void show(const woven_frame *, std::size_t n, written_stack &to) const;

private:
	// Language, name, file, line.
	using function = std::tuple<std::string, std::string, std::string,
	    std::uint32_t>;

	std::map<function, std::uint32_t> numbers_;
	std::vector<const function *> functions_;	// keys of numbers_
};

} // namespace stack9::events
