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

	// There are more functions than their budget allows, and it has none.
	bool is_beyond() const noexcept { return is_beyond_; }
	// Finds the FDE that may cover the address.  False: none does.
	bool find(std::uintptr_t address, std::size_t &fde) const noexcept;
	// Does what unwind::fdes_by_header() does.
	bool find_all(std::uintptr_t from, std::uintptr_t to, std::size_t most,
	    std::vector<unwind::fde_place> &) const;

private:
	using entry = unwind::fde_place;

	std::vector<entry>::const_iterator behind(std::uintptr_t address)
	    const noexcept;

	std::vector<entry> entries_;
	bool		is_beyond_ = false;
};

} // namespace stack9::process
