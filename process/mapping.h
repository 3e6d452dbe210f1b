// Declares a mapping of a process, the place of an address in it, and the spots
// that one snapshot consists of.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/seam/record.h"

#include "file.h"

namespace stack9::process {

// One line of /proc/TID/maps.
struct mapping {
	std::uintptr_t	start = 0, end = 0;
	std::uint64_t	offset = 0;	// in the file, of start
	std::uint64_t	inode = 0;	// 0: of no file
	std::uint32_t	major = 0, minor = 0;	// of its device
	bool		readable = false, writable = false, executable = false;
	bool		deleted = false;
	bool		is_image = false;	// addresses are those of the
						// ELF image, not of a process
	bool		is_refused = false;	// its file cannot be opened
	bool		is_moved = false;	// memory of no file has code of
						// backing; offset and path are
						// of that
	bool		is_debug_file = false;	// backing has the names of the
						// file, and not its bytes
	std::uint64_t	image_at = 0;	// is_image: the address of its 0
	std::vector<unsigned char> reported_build_id;	// of a file that may
							// not be here
	std::string	path;		// without " (deleted)"; "[vdso]"; ""
	// The file, for mappings of files that have an executable mapping, too.
	// NULL: there is none, or it could not be opened.
	std::shared_ptr<file> backing;
};

// The place of an address.
struct place {
	const mapping	*where = nullptr;
	file		*backing = nullptr;	// or NULL
	std::uint64_t	vaddr = 0;	// in backing; 0: none
	std::uint64_t	bias = 0;	// address minus vaddr
};

// Gives the place of an address in the mapping.
place place_in(const mapping &, std::uintptr_t address) noexcept;

// Says what is mapped at an address, whose place this is.
void describe(const mapping &, std::uint64_t vaddr, std::uintptr_t address,
    mapped_module &) noexcept;

// Returns true if the mapping's contents are the program's own: of no file, and
// not made by the kernel.  Code of a file that was moved there is the file's.
bool is_of_no_file(const mapping &) noexcept;

// Returns true if a program can have code there.  A call through NULL, or
// nearly NULL, leads elsewhere, and so does an address of the kernel.
constexpr bool
could_be_code(std::uintptr_t pc) noexcept
{
	constexpr std::uintptr_t lowest = 1 << 16;
	return pc >= lowest && pc >> 48 == 0;
}

// A snapshot is a list of spots, ordered by address.
struct spot {
	std::uintptr_t	start, end;
	const mapping	*what;
};
using spots = std::vector<spot>;

} // namespace stack9::process
