// A table over unwind information that the linker made none for (static
// programs of old, .debug_frame): going through it takes milliseconds.
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

	// The FDE that may have the address.  False: none has.
	bool find(std::uintptr_t address, std::size_t &fde) const noexcept;

private:
	struct entry {
		std::uintptr_t	begin;
		std::size_t	fde;	// offset in the section
	};
	std::vector<entry> entries_;
};

} // namespace stack9::process
