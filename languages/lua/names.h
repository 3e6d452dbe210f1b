// Names the calls of a thread as Lua's own traceback does.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <unordered_map>

#include "frames.h"
#include "prototype.h"

namespace stack9::languages::lua {

// A function that a loaded module has.
struct module_function {
	std::uint64_t	value;		// a closure, or a function of C
	std::uint8_t	type;
	std::uint64_t	key;		// the string object of its name,
	const std::string &prefix;	// and what comes before that
};

// Calls f with each of a global state, in the order of next().  Throws
// std::bad_alloc.
void each_of_modules(memory &, const layout &, std::uint64_t global,
    const std::function<void(const module_function &)> &f);

// The name that a call's caller has for it.  caller: NULL if there is none, and
// its prototype; "": it has none.  Throws std::bad_alloc.
std::string name_by_call(unwind::memory &, const layout &, const frame &,
    const frame *caller, const prototype &of_caller);

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

private:
	std::string by_call(const frame &, const frame *caller);

	memory			&m_;
	const layout		&l_;
	std::map<std::uint64_t, prototype> prototypes_;
	std::unordered_map<std::uint64_t, std::string> global_;
};

} // namespace stack9::languages::lua
