// Finds rows in call frame information: .eh_frame and .debug_frame, read in
// place.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "row.h"

namespace stack9::unwind {

// Finds the row for pc, given the FDE's place in the section.  It allocates
// nothing, takes no lock, does a bounded amount of work, is async-signal-safe,
// and never reads outside the section.
found row_of_fde(const cfi_section &, std::size_t fde_offset,
    std::uintptr_t pc, row &) noexcept;

// Finds the FDE that may cover pc by the table of .eh_frame_hdr; image and
// hdr_address are row_by_header()'s.  no: it has no FDE for pc, or has_table is
// false.
found fde_by_header(const cfi_section &image, std::uintptr_t hdr_address,
    std::uintptr_t pc, std::size_t &fde_offset, bool &has_table) noexcept;

// An entry of such a table.
struct fde_place {
	std::uintptr_t	begin;	// of the function
	std::size_t	fde;	// offset in the section
};

// Gives the entries whose FDEs may cover addresses of [from, to), in the
// table's order, and says how many they are, also where `all` has no room for
// so many.  False: it has none, or there is no table.  It allocates nothing:
// libstack9_backtrace has no operator new.
bool fdes_by_header(const cfi_section &image, std::uintptr_t hdr_address,
    std::uintptr_t from, std::uintptr_t to, std::span<fde_place> all,
    std::size_t &many) noexcept;

// Finds the row for pc by reading the whole section: for sections without a
// table.
found row_by_search(const cfi_section &, std::uintptr_t pc, row &) noexcept;

// Finds the row for pc in a module.  image is the module's mapping or file
// image; it holds both .eh_frame_hdr and .eh_frame.  Its bytes begin at
// image.address where the code runs, and .eh_frame_hdr begins at hdr_address
// there.  Uses binary search, or row_by_search() if there is no table.
found row_by_header(const cfi_section &image, std::uintptr_t hdr_address,
    std::uintptr_t pc, row &) noexcept;

} // namespace stack9::unwind
