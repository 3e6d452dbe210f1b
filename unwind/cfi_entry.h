// Reads the entries of a section of call frame information: CIE and FDE.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "cursor.h"
#include "row.h"

namespace stack9::unwind {

// The CIE holds what is common to the FDEs that point to it.
struct cie {
	cursor		program;
	std::uint64_t	code_factor = 0;
	std::int64_t	data_factor = 0;
	int		return_column = 0;
	std::uint8_t	encoding = encoding::absolute;	// of code addresses
	bool		sized = false;		// augmentation z
	bool		signal_frame = false;	// augmentation S
};

// An entry of either sort.  rest follows its length and its identification.
struct entry {
	enum sort : std::uint8_t { is_cie, is_fde, terminator, bad };
	sort		what = bad;
	std::size_t	next = 0;	// offset of the entry that follows
	std::size_t	cie_offset = 0;	// an FDE's
	cursor		rest;
};

entry read_entry(const cfi_section &, std::size_t offset) noexcept;
bool read_cie(const cfi_section &, std::size_t offset, cie &) noexcept;

struct fde {
	std::uintptr_t	begin = 0, size = 0;
	cursor		program;

	bool
	covers(std::uintptr_t pc) const noexcept
	{
		return pc - begin < size;
	}
};

bool read_fde(const cfi_section &, const entry &, const cie &,
    fde &) noexcept;

// Runs the programs of the CIE and the FDE up to the pc.  The FDE covers the
// pc.  False: they are malformed.
bool run_program(const cfi_section &, const cie &, const fde &,
    std::uintptr_t pc, row &) noexcept;

} // namespace stack9::unwind
