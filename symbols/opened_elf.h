// Opens an ELF file for this folder alone: libelf is not thread-safe, so no
// handle is shared.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

#include <libelf.h>

#include "process/elf_parts.h"

#include "image.h"

namespace stack9 {

struct elf_ender {
	void operator()(Elf *e) const noexcept { elf_end(e); }
};
using unique_elf = std::unique_ptr<Elf, elf_ender>;

// None if the headers are beyond their budget.
inline unique_elf
open_elf(int fd) noexcept
{
	return unique_elf(process::begin_elf(fd));
}

struct opened_elf {
	std::string	path;	// ""; it has none here
	unique_fd	fd;	// ends after elf
	unique_elf	elf;

	explicit operator bool() const noexcept { return elf != nullptr; }
};

} // namespace stack9
