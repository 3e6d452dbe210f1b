// Names the calls of a thread as Lua's own traceback does.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>

#include "frames.h"
#include "prototype.h"

namespace stack9::languages::lua {

class names {
public:
	names(memory &m, const layout &l) noexcept : m_(m), l_(l) {}

	// Finds the functions among these that the loaded modules have:
	// "print", "string.gsub".  Throws std::bad_alloc, as all here.
	void find_global(std::uint64_t global, std::span<const frame>);
	// caller: NULL if there is none.
	std::string name(const frame &, const frame *caller);
	const prototype &at(std::uint64_t);
	std::uint32_t line(const frame &);
	// The number of the instruction that a frame has run last.
	std::size_t position(const frame &);

private:
	struct table_part;
	template <class F> void each_field(std::uint64_t table, F);
	std::string by_call(const frame &, const frame *caller);

	memory			&m_;
	const layout		&l_;
	std::map<std::uint64_t, prototype> prototypes_;
	std::unordered_map<std::uint64_t, std::string> global_;
};

} // namespace stack9::languages::lua
