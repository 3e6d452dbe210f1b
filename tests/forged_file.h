// Makes a file with the symbols and segments that a walk asks a file for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

namespace forged {

using text = std::array<char, 40>;

struct symbol {
	std::uint64_t	vaddr, size;
	text		name;
};
// All but the memory, in the order in which its bytes have it.
struct facts {
	std::uint64_t	pointer, mark, bias;
	std::uint64_t	data, data_size, thread_size;
	text		path;
};

// Makes an ELF file with the symbols, a writable segment, and one of memory of
// threads.
inline int
file_of(const facts &known, const std::vector<symbol> &wanted)
{
	struct image {
		Elf64_Ehdr	head{};
		Elf64_Phdr	segments[2]{};
		Elf64_Shdr	sections[3]{};
	} i;
	std::vector<Elf64_Sym> symbols(1);
	std::string names(1, '\0');
	for (const symbol &one : wanted) {
		Elf64_Sym to{};
		to.st_name = static_cast<Elf64_Word>(names.size());
		to.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
		to.st_shndx = SHN_ABS;
		to.st_value = one.vaddr;
		to.st_size = one.size;
		symbols.push_back(to);
		names += one.name.data();
		names += '\0';
	}
	std::memcpy(i.head.e_ident, ELFMAG, SELFMAG);
	i.head.e_ident[EI_CLASS] = ELFCLASS64;
	i.head.e_ident[EI_DATA] = ELFDATA2LSB;
	i.head.e_ident[EI_VERSION] = EV_CURRENT;
	i.head.e_type = ET_DYN;
	i.head.e_machine = EM_X86_64;
	i.head.e_version = EV_CURRENT;
	i.head.e_ehsize = sizeof i.head;
	i.head.e_phoff = offsetof(image, segments);
	i.head.e_phentsize = sizeof(Elf64_Phdr);
	i.head.e_phnum = 2;
	i.head.e_shoff = offsetof(image, sections);
	i.head.e_shentsize = sizeof(Elf64_Shdr);
	i.head.e_shnum = 3;
	i.segments[0].p_type = PT_LOAD;
	i.segments[0].p_flags = PF_R | PF_W;
	i.segments[0].p_vaddr = known.data;
	i.segments[0].p_memsz = known.data_size;
	i.segments[1].p_type = PT_TLS;
	i.segments[1].p_memsz = known.thread_size;
	i.sections[1].sh_type = SHT_DYNSYM;
	i.sections[1].sh_offset = sizeof i;
	i.sections[1].sh_size = symbols.size() * sizeof symbols[0];
	i.sections[1].sh_link = 2;
	i.sections[1].sh_entsize = sizeof symbols[0];
	i.sections[2].sh_type = SHT_STRTAB;
	i.sections[2].sh_offset = sizeof i + i.sections[1].sh_size;
	i.sections[2].sh_size = names.size();
	std::string all(reinterpret_cast<const char *>(&i), sizeof i);
	all.append(reinterpret_cast<const char *>(symbols.data()),
	    i.sections[1].sh_size);
	all += names;
	const int fd = memfd_create("forged", MFD_CLOEXEC);
	if (fd < 0 || write(fd, all.data(), all.size()) !=
	    static_cast<ssize_t>(all.size()))
		throw std::runtime_error("no file can be made");
	return fd;
}

} // namespace forged
