// Writes an ELF file of sections into memory, for libdw to read.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <libelf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "os/unique_fd.h"

namespace stack9 {

// The header of a file that has only sections, the last of which has their
// names.  at: where the sections' headers are.
inline Elf64_Ehdr
header_of_sections(Elf64_Off at, std::size_t count) noexcept
{
	Elf64_Ehdr e{};
	std::memcpy(e.e_ident, ELFMAG, SELFMAG);
	e.e_ident[EI_CLASS] = ELFCLASS64;
	e.e_ident[EI_DATA] = ELFDATA2LSB;
	e.e_ident[EI_VERSION] = EV_CURRENT;
	e.e_type = ET_REL;
	e.e_version = EV_CURRENT;
	e.e_ehsize = sizeof e;
	e.e_shoff = at;
	e.e_shentsize = sizeof(Elf64_Shdr);
	e.e_shnum = static_cast<Elf64_Half>(count);
	e.e_shstrndx = static_cast<Elf64_Half>(count - 1);
	return e;
}

// Functions may throw std::bad_alloc.
class elf_writer {
public:
	void
	add(std::string_view name, std::string_view content)
	{
		Elf64_Shdr &h = sections_.emplace_back();
		h.sh_name = static_cast<Elf64_Word>(names_.size());
		h.sh_type = SHT_PROGBITS;
		h.sh_offset = sizeof(Elf64_Ehdr) + contents_.size();
		h.sh_size = content.size();
		h.sh_addralign = 1;
		names_.append(name) += '\0';
		contents_ += content;
	}

	// No file: there is no memory, or no descriptor.
	unique_fd
	write_out()
	{
		add(".shstrtab", {});
		sections_.back().sh_size = names_.size();
		sections_.back().sh_type = SHT_STRTAB;
		contents_ += names_;
		contents_.resize((contents_.size() + 7) & ~std::size_t{7});
		const Elf64_Ehdr e = header_of_sections(
		    sizeof(Elf64_Ehdr) + contents_.size(), sections_.size());
		unique_fd to(memfd_create("stack9", MFD_CLOEXEC |
		    MFD_ALLOW_SEALING));
		const auto put = [&to](const void *from, std::size_t size) {
			return write(to.get(), from, size) ==
			    static_cast<ssize_t>(size);
		};
		if (!to || !put(&e, sizeof e) ||
		    !put(contents_.data(), contents_.size()) ||
		    !put(sections_.data(), sections_.size() * sizeof e))
			to.reset();
		return to;
	}

private:
	static_assert(sizeof(Elf64_Ehdr) == sizeof(Elf64_Shdr));
	std::vector<Elf64_Shdr> sections_{1};
	std::string	names_ = std::string(1, '\0'), contents_;
};

} // namespace stack9
