// Opens the debug information of one file: its own, or its debug file's.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include <elfutils/libdw.h>
#include "process/file.h"

#include "debug_file.h"
#include "split_file.h"

namespace stack9 {

struct dwarf_ender {
	void operator()(Dwarf *d) const noexcept { dwarf_end(d); }
};

// It does not share the file's own handle: libdw reads all debug sections at
// once and is not thread-safe.
struct opened_dwarf {
	no_alternate	nothing;	// where there is no other alternate
	opened_elf	alternate_file;	// dwz's, if there is one
	std::unique_ptr<Dwarf, dwarf_ender> alternate;
	opened_elf	file;
	std::unique_ptr<Dwarf, dwarf_ender> dwarf;
	package_file	package;	// of the units that were split off
	std::string	path;		// of the process's file
	budgets::share	share;		// of it all

	// The file that has the information, for people.
	const std::string &
	name() const noexcept
	{
		return file.path.empty() ? path : file.path;
	}

	explicit operator bool() const noexcept { return dwarf != nullptr; }
};

// fetch: ask servers too.  Returns none if there is no debug information.
// Takes the file's lock if the file is an image; throws std::bad_alloc.
opened_dwarf open_dwarf(process::file &, bool fetch);

} // namespace stack9
