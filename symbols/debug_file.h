// Finds the separate debug file of an ELF file as gdb does: by build ID, or by
// the name and checksum in .gnu_debuglink.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>

#include <elfutils/libdw.h>

#include "debug_nowait.h"
#include "opened_elf.h"

namespace stack9 {

using id_bytes = std::span<const unsigned char>;

// path: of the file that elf was opened from; fd: its descriptor, or -1.
// Returns no file if there is no debug file, or only that of another file.  May
// throw std::bad_alloc.
opened_elf open_debug_file(int fd, Elf *elf, id_bytes build_id,
    const std::string &path);

// The file into which dwz moved the common parts of several debug files, for
// the debug file at path, whose sections have been read.  Returns no file if
// nothing was moved, or if (wanted) that file is not on this machine.
opened_elf open_alternate(Dwarf *debug, Elf *, const std::string &path,
    bool &wanted);

// Asks the servers of $DEBUGINFOD_URLS.  This may take long.  Returns no file
// if there is no server, no libdebuginfod, or no such file.
opened_elf fetch_debug_file(id_bytes build_id) noexcept;

} // namespace stack9
