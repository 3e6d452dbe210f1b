// Lists the code that a process has mapped from files, for the programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "process/space.h"

#include "code_pages.h"
#include "file_numbers.h"
#include "layout.h"

namespace stack9::events {

class code_list {
public:
	// Takes the last snapshot of the space.  It has this number.  Code
	// that was in the list before keeps its number.  Throws
	// std::bad_alloc.
	void take(stack9_space &, std::uint32_t number, file_numbers &,
	    code_pages &);

	// False: the process has more code than a list holds.
	bool fits() const noexcept { return code_.size() <= S9_MOST_CODE; }
	// Writes it as the programs read it.
	void write(std::uint64_t serial, s9_mapped &) const noexcept;
	// The code that has this address; NULL: it is not in the list.
	const s9_code *find(std::uintptr_t address) const noexcept;

private:
	std::vector<s9_code> code_;	// by address
};

// True if the same part of the same file is mapped there.
bool is_same(const s9_code &, const s9_code &) noexcept;

} // namespace stack9::events
