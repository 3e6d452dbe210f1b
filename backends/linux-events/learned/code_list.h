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
	// Takes the last snapshot of the space.  Throws std::bad_alloc.
	void take(stack9_space &, file_numbers &, code_pages &);

	// False: the process has more code than a list holds.
	bool fits() const noexcept { return code_.size() <= S9_MOST_CODE; }
	// Writes it as the programs read it.
	void write(std::uint32_t number, s9_mapped &) const noexcept;
	// The code that has this address; NULL: it is not in the list.
	const s9_code *find(std::uintptr_t address) const noexcept;

private:
	std::vector<s9_code> code_;	// by address
};

} // namespace stack9::events
