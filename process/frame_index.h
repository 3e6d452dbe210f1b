// Indexes unwind information for which the linker made no table (old static
// programs, .debug_frame).  Reading all of it takes milliseconds.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "unwind/cfi.h"

namespace stack9::process {

class frame_index {
public:
	frame_index() noexcept = default;
	// Throws std::bad_alloc.
	explicit frame_index(const unwind::cfi_section &);

	// Finds the FDE that may cover the address.  False: none does.
	bool find(std::uintptr_t address, std::size_t &fde) const noexcept;

private:
	struct entry {
		std::uintptr_t	begin;
		std::size_t	fde;	// offset in the section
	};
	std::vector<entry> entries_;
};

} // namespace stack9::process
