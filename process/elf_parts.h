// Declares how parts of an ELF file are read by libelf: each part within its
// budget (budgets/budgets.h), and never one that is mostly a hole.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <libelf.h>

namespace stack9::process {

// Opens libelf's handle, to be closed by elf_end().  NULL: it is not an ELF
// file of these CPUs' byte order, or its headers are beyond their budget; that
// is counted.
//
// Rejected: ELF_C_READ_MMAP, because a file that shrinks would raise SIGBUS.
Elf *begin_elf(int fd) noexcept;
Elf *begin_elf(char *image, std::size_t size) noexcept;

// Finds the section that has the names of the others.  False: there is none, or
// it is beyond its budget, and elf_strptr() must not be called, nor anything of
// libdw that searches sections.
bool find_names(int fd, Elf *, std::size_t &index) noexcept;

// Returns true if a part of a file may be read: it is within its budget, and is
// there.  fd < 0: an image in memory, without holes.
bool may_read(int fd, std::uint64_t offset, std::uint64_t size,
    std::uint64_t budget) noexcept;

// Reads a section, and unpacks it if it is compressed; gnu: in the way that has
// no flag, and a name that begins with ".z".  NULL: it cannot be read.  beyond
// is set if it may not.
Elf_Data *read_section(int fd, Elf_Scn *, std::uint64_t budget, bool &beyond,
    bool gnu = false) noexcept;

// Reads all sections that libdw would read, so that it needs no descriptor
// after that.  size: of all of them.  False: they are beyond their budget.
bool read_debug_sections(int fd, Elf *, std::uint64_t &size) noexcept;

} // namespace stack9::process
