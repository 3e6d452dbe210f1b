// The debug information of one file: its own, or its debug file's.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include <elfutils/libdw.h>
#include "process/file.h"

#include "debug_file.h"

namespace stack9 {

struct dwarf_ender {
	void operator()(Dwarf *d) const noexcept { dwarf_end(d); }
};

// Kept apart from the file's own handle: libdw reads all debug sections at
// once, and is not thread-safe.
struct opened_dwarf {
	opened_elf	alternate_file;	// dwz's, if there is one
	std::unique_ptr<Dwarf, dwarf_ender> alternate;
	opened_elf	file;
	std::unique_ptr<Dwarf, dwarf_ender> dwarf;

	explicit operator bool() const noexcept { return dwarf != nullptr; }
};

// fetch: ask servers too.  None where there is none.  Takes the file's lock
// where it is an image; throws std::bad_alloc.
opened_dwarf open_dwarf(process::file &, bool fetch);

} // namespace stack9
