// Reads the prototype of a function of Lua: its source, its lines, its code and
// the names in it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "languages/kept_memory.h"

#include "layout.h"

namespace stack9::languages::lua {

struct prototype {
	std::uint64_t	at = 0;		// 0: it cannot be read
	std::uint64_t	code = 0;	// the address of the first instruction
	std::string	source;		// as Lua shows it
	std::uint32_t	first_line = 0;	// 0: it is a whole file
	std::vector<std::uint32_t> instructions;
};

// Throws std::bad_alloc.
void read_prototype(unwind::memory &, const layout &, std::uint64_t at,
    prototype &);

// 0: it is not known.
std::uint32_t line_of(unwind::memory &, const layout &, const prototype &,
    std::size_t instruction);

// Reads a string object.  False: none is there.  Throws std::bad_alloc.
bool read_string(unwind::memory &, std::uint64_t at, std::string &to);

// The string that is a constant; "?" if it is none.
std::string constant_of(unwind::memory &, const layout &, const prototype &,
    std::size_t n);
// The name of the local variable in a register at an instruction; "".
std::string variable_of(unwind::memory &, const layout &, const prototype &,
    std::uint32_t number, std::size_t instruction);
// "?": it has none.
std::string upvalue_of(unwind::memory &, const layout &, const prototype &,
    std::size_t n);

// Keeps all that the functions here read of one, and its source.  Throws
// std::bad_alloc.
void keep_prototype(unwind::memory &, const layout &, std::uint64_t at,
    kept_memory &to);

// The number of the instruction that a frame at this pc has run last.
std::size_t position_of(const prototype &, std::uint64_t pc);
// The words for a function without a name: "main chunk", or its place; "?".
std::string place_of(const prototype &);

} // namespace stack9::languages::lua
