// Reads the prototype of a function of LuaJIT, and names what it has called.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "languages/runtime.h"

namespace stack9::languages::luajit {

class code {
public:
	// Throws std::bad_alloc, as all here.
	code(memory &, std::uint64_t prototype);

	bool is_known() const noexcept { return !instructions_.empty(); }
	const std::string &source() const noexcept { return source_; }
	// "main chunk", or the place of the function.
	std::string place() const;
	std::uint32_t line(std::uint64_t pc) const;
	// The name of what the instruction before pc has called; "".
	std::string called(std::uint64_t pc) const;

private:
	// The number of the instruction before this; 0: there is none.
	std::size_t position(std::uint64_t pc) const noexcept;
	std::string in_slot(std::size_t at, std::uint32_t slot) const;
	std::string variable(std::size_t at, std::uint32_t slot) const;
	std::string upvalue(std::uint32_t n) const;
	std::string constant(std::uint32_t n) const;

	memory		&m_;
	const std::uint64_t at_;
	std::string	source_;
	std::int32_t	first_line_ = 0, lines_ = 0;
	std::vector<std::uint32_t> instructions_;	// 0: what begins it
};

} // namespace stack9::languages::luajit
