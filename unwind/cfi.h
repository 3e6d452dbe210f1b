// Finds rows in call frame information: .eh_frame and .debug_frame, read in
// place.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "row.h"

namespace stack9::unwind {

// The row for pc, given the FDE's place in the section.  No allocation, no
// lock, bounded work; async-signal-safe; never reads outside the section.
found row_of_fde(const cfi_section &, std::size_t fde_offset,
    std::uintptr_t pc, row &) noexcept;

// The same, by going through the whole section: for sections without a table.
found row_by_search(const cfi_section &, std::uintptr_t pc, row &) noexcept;

// The row for pc in a module whose .eh_frame_hdr begins at hdr (as bytes here,
// at hdr_address where the code runs) and whose mapping or file image, which
// holds both .eh_frame_hdr and .eh_frame, is image.  image.bytes.data()
// corresponds to image.address.  Binary search; falls back to
// row_by_search() where there is no table.
found row_by_header(const cfi_section &image, std::uintptr_t hdr_address,
    std::uintptr_t pc, row &) noexcept;

} // namespace stack9::unwind
