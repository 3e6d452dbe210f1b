// Reads an ELF file's functions and notes, and their places in the file.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <gelf.h>

#include "os/unique_fd.h"
#include "process/file.h"

namespace stack9::events {

class elf_image {
public:
	struct symbol {
		std::string_view name;		// without a version
		std::uint64_t	address;
		std::uint64_t	size;
		bool		indirect;	// STT_GNU_IFUNC
		bool		global;
		bool		old;	// of a version for old programs
	};
	using each_symbol = std::function<bool(const symbol &)>;

	// 0; or an errno, and why.
	int open(unique_fd, const std::string &path, std::string &why);
	// Opens its separate debug information.  False: there is none.
	bool open_debug(elf_image &) const;

	// The place in the file of the byte at an address; false: it has none.
	bool offset(std::uint64_t address, std::uint64_t &off) const;
	// As offset(), for addresses of code.
	bool code_offset(std::uint64_t address, std::uint64_t &off) const;

	// Calls f until it returns true.  Returns that, or false.  type:
	// SHT_DYNSYM, SHT_SYMTAB.
	bool each(unsigned int type, const each_symbol &f) const;
	Elf_Scn *section(const char *name, GElf_Shdr &) const;
	Elf_Data *data_of(const char *name) const;
	bool is_64() const noexcept { return file_->is_64(); }

private:
	Elf *elf() const noexcept { return file_->elf(); }

	std::optional<stack9::process::file> file_;

	bool segment(std::uint64_t address, unsigned int flags,
	    std::uint64_t &off) const;
};

// True if the file's notes declare a probe of this name.
bool has_probe(const elf_image &, const std::string &name);

} // namespace stack9::events
