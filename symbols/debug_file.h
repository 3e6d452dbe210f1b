// The separate debug file of an ELF file, found as gdb finds it: by build ID,
// or by the name and checksum in .gnu_debuglink.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>

#include <elfutils/libdw.h>

#include "opened_elf.h"

namespace stack9 {

using id_bytes = std::span<const unsigned char>;

// "/usr/lib/debug"; tests have another.
extern const char *debug_root;

// elf: of the file, whose path this is; none if there is no debug file, or only
// another's.  May throw std::bad_alloc.
opened_elf open_debug_file(Elf *elf, id_bytes build_id,
    const std::string &path);

// What dwz moved out of several debug files, for the one at path; none if
// nothing was, or if it is not here.
opened_elf open_alternate(Dwarf *debug, const std::string &path);

// From the servers of $DEBUGINFOD_URLS, which may take its time; none where
// there are no such, no libdebuginfod, or no such file.
opened_elf fetch_debug_file(id_bytes build_id) noexcept;

} // namespace stack9
