// Declares how the build id of a file and the name of its debug file are read,
// whatever the sizes of their sections.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <libelf.h>

namespace stack9 {

// Empty: the file has none.  fd is the descriptor behind the handle, or -1.
// Throws std::bad_alloc.
std::vector<unsigned char> build_id_of(int fd, Elf *);

// What .gnu_debuglink says: a name, and the checksum of the file.
struct debug_link {
	std::string	name;		// ""; there is no link
	std::uint32_t	crc = 0;
};
debug_link debug_link_of(int fd, Elf *);

} // namespace stack9
