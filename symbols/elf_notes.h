// Declares how the build id of a file and the names of its debug files are
// read, whatever the sizes of their sections.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <libelf.h>

namespace stack9 {

// Empty: the file has none.  fd is the handle's descriptor, or -1.  Throws
// std::bad_alloc.
std::vector<unsigned char> build_id_of(int fd, Elf *);

// The bytes of a section; none: there is no such section, or it is beyond the
// budget.  They last as long as the handle.
std::string_view section_of_name(int fd, Elf *, std::string_view name,
    std::uint64_t budget);

// What .gnu_debuglink says: a name, and the checksum of the file.
struct debug_link {
	std::string	name;		// ""; there is no link
	std::uint32_t	crc = 0;
};
debug_link debug_link_of(int fd, Elf *);

// What .debug_sup (DWARF 5, 7.3.6) says: this file is one of common parts, or
// names that file, by a name and a sum.
struct common_link {
	bool		is_common = false;
	std::string	name;		// "": of itself
	std::vector<unsigned char> sum;
};
// False: there is no such section, or it is not whole.
bool find_common_link(int fd, Elf *, common_link &);

} // namespace stack9
