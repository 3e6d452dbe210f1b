// Finds in the x86-64 code of a Go function what it has done to rsp and rbp so
// far, for functions whose tables do not say it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "go_table.h"

namespace stack9::languages {

inline constexpr int go_word = 8;

// Holds a function's code from its beginning up to an address, as far as it
// fits; all functions that matter fit.
class go_code {
public:
	go_code(const go_table &t, const go_function &f,
	    std::uint64_t vaddr) noexcept
	    : table_(t), function_(f), size_(t.code(f.begin, code_,
	    std::min<std::uint64_t>(sizeof code_, vaddr - f.begin))) {}

	bool writes_sp() const noexcept;
	// Returns true if the depth that a call of C needs to come back has
	// been noted so many bytes above sp.
	bool notes_depth(std::int32_t above) const noexcept;
	// Gives the frame's size at the moment when rbp had been saved below
	// its return address; 0: it has not been saved.
	std::int32_t saves_fp() const noexcept;

private:
	bool has(std::size_t at, std::initializer_list<std::uint8_t> what)
	    const noexcept;
	bool stores_rdi(std::size_t at, std::int32_t above) const noexcept;
	bool save_ends(std::size_t at, std::size_t &end, std::int32_t &above)
	    const noexcept;

	const go_table		&table_;
	const go_function	&function_;
	std::uint8_t		code_[512];
	std::size_t		size_;
};

// Returns true if the byte is the last one of a call.
bool go_behind_call(const go_table &, std::uint64_t last) noexcept;

// Reads code that only pops words off the stack and returns.  Gives the DWARF
// numbers of the registers that the words go to.  False: the code does
// something else.
bool go_pops(const go_table &, std::uint64_t vaddr, int (&registers)[16],
    int &count) noexcept;

} // namespace stack9::languages
