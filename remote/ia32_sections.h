// Declares how libdw is given the unwind information of 32-bit programs: only
// what is within its budget, and no program that would take libdw long.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include <elfutils/libdw.h>

#include "budgets/kept.h"
#include "process/file.h"

namespace stack9::remote {

struct dwarf_closer {
	void operator()(Dwarf *d) const noexcept { dwarf_end(d); }
};

// The debug sections of a file.
struct opened_debug {
	std::unique_ptr<Elf, process::elf_closer> elf;
	std::unique_ptr<Dwarf, dwarf_closer>	dwarf;	// of elf; or NULL
	budgets::share				share;
};

// NULL: there is no .eh_frame, or it is left out.  The caller holds the file's
// lock, and ends what it gets.
Dwarf_CFI *open_eh_frame(const process::file &) noexcept;

// Opens the sections, for .debug_frame, by a handle of its own: libdw needs
// them unpacked.
void open_debug_frame(const process::file &, opened_debug &) noexcept;

} // namespace stack9::remote
