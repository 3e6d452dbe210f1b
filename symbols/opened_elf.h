// Opens an ELF file for this folder alone: libelf is not thread-safe, so no
// handle is shared.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

#include <libelf.h>

#include "image.h"

namespace stack9 {

struct elf_ender {
	void operator()(Elf *e) const noexcept { elf_end(e); }
};
using unique_elf = std::unique_ptr<Elf, elf_ender>;

// Rejected: ELF_C_READ_MMAP, because a file that shrinks would raise SIGBUS.
inline unique_elf
open_elf(int fd) noexcept
{
	elf_version(EV_CURRENT);
	return unique_elf(elf_begin(fd, ELF_C_READ, nullptr));
}

struct opened_elf {
	std::string	path;
	unique_fd	fd;	// ends after elf
	unique_elf	elf;

	explicit operator bool() const noexcept { return elf != nullptr; }
};

} // namespace stack9
