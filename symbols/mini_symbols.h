// Declares how the symbols are read that distributions leave in stripped files.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "opened_elf.h"

namespace stack9 {

// Unpacks .gnu_debugdata into memory: an ELF file with the functions that
// .dynsym has not (MiniDebugInfo of Fedora, RHEL, SUSE).  fd: that of the
// handle, or -1.  No file: there is none, or it is beyond its budget; that is
// counted.  Throws std::bad_alloc.
opened_elf open_mini_symbols(int fd, Elf *);

} // namespace stack9
