// Lays out the files that are made, and measures what they cost.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "elf_builder.h"

#include <algorithm>
#include <fstream>

#include <fcntl.h>
#include <malloc.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <zlib.h>

#include "budgets/budgets.h"

elf_builder &
elf_builder::add(made_section s)
{
	sections_.push_back(std::move(s));
	return *this;
}

elf_builder &
elf_builder::segment(std::uint32_t type, const std::string &name)
{
	Elf64_Phdr p{};
	p.p_type = type;
	p.p_flags = PF_R;
	segments_.push_back({p, name});
	return *this;
}

elf_builder &
elf_builder::segment(const Elf64_Phdr &p)
{
	segments_.push_back({p, ""});
	return *this;
}

elf_builder &
elf_builder::function(const std::string &name, std::uint64_t at)
{
	Elf64_Sym s[2]{};
	s[1].st_name = 1;
	s[1].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
	s[1].st_shndx = 1;
	s[1].st_value = at;
	s[1].st_size = 16;
	add({".symtab", SHT_SYMTAB, std::string(
	    reinterpret_cast<const char *>(s), sizeof s), 0, 0, 0, ".strtab",
	    sizeof s[0]});
	return add({".strtab", SHT_STRTAB, '\0' + name + '\0'});
}

void
elf_builder::write(const std::string &path) const
{
	auto all = sections_;
	all.insert(all.begin(), made_section{"", SHT_NULL, ""});
	std::string names(1, '\0');
	for (const auto &s : sections_)
		names += s.name + '\0';
	names += ".shstrtab";
	all.push_back({".shstrtab", SHT_STRTAB, names + '\0', 0, names_size});

	const bool many = sections != 0 || segments != 0;
	const std::uint64_t headers = sizeof(Elf64_Ehdr) +
	    segments_.size() * sizeof(Elf64_Phdr);
	std::uint64_t at = headers + all.size() * sizeof(Elf64_Shdr);
	std::vector<Elf64_Shdr> table;
	for (const auto &s : all) {
		Elf64_Shdr h{};
		at = (at + 15) & ~std::uint64_t{15};
		h.sh_name = static_cast<Elf64_Word>(s.name.empty() ? 0 :
		    names.find('\0' + s.name) + 1);
		h.sh_type = s.type;
		h.sh_flags = s.flags;
		h.sh_addr = s.address;
		h.sh_offset = s.type == SHT_NULL ? 0 : at;
		h.sh_size = s.size != 0 ? s.size : s.bytes.size();
		h.sh_addralign = 1;
		h.sh_entsize = s.entry;
		for (std::size_t n = 0; n < all.size() && !s.link.empty(); n++)
			if (all[n].name == s.link)
				h.sh_link = static_cast<Elf64_Word>(n);
		at += h.sh_size;
		table.push_back(h);
	}
	table[0].sh_size = sections;
	table[0].sh_info = static_cast<Elf64_Word>(segments);
	if (many)
		table[0].sh_link = static_cast<Elf64_Word>(all.size() - 1);

	Elf64_Ehdr e{};
	std::copy_n(ELFMAG, SELFMAG, e.e_ident);
	e.e_ident[EI_CLASS] = ELFCLASS64;
	e.e_ident[EI_DATA] = ELFDATA2LSB;
	e.e_ident[EI_VERSION] = EV_CURRENT;
	e.e_type = ET_DYN;
	e.e_machine = machine_;
	e.e_version = EV_CURRENT;
	e.e_ehsize = sizeof e;
	e.e_phoff = segments_.empty() ? 0 : sizeof e;
	e.e_phentsize = sizeof(Elf64_Phdr);
	e.e_phnum = static_cast<Elf64_Half>(segments != 0 ? PN_XNUM :
	    segments_.size());
	e.e_shoff = headers;
	e.e_shentsize = sizeof(Elf64_Shdr);
	e.e_shnum = static_cast<Elf64_Half>(sections != 0 ? 0 : all.size());
	e.e_shstrndx = static_cast<Elf64_Half>(many ? SHN_XINDEX :
	    all.size() - 1);

	std::ofstream out(path, std::ios::binary | std::ios::trunc);
	const auto put = [&](std::uint64_t where, const void *p,
	    std::size_t n) {
		out.seekp(static_cast<std::streamoff>(where));
		out.write(static_cast<const char *>(p),
		    static_cast<std::streamsize>(n));
	};
	put(0, &e, sizeof e);
	for (const auto &s : segments_) {
		Elf64_Phdr p = s.header;
		for (std::size_t n = 0; n < all.size(); n++)
			if (!s.section.empty() && all[n].name == s.section) {
				p.p_offset = table[n].sh_offset;
				p.p_vaddr = table[n].sh_addr;
				p.p_filesz = p.p_memsz = table[n].sh_size;
			}
		put(sizeof e + static_cast<std::size_t>(&s - segments_.data()) *
		    sizeof p, &p, sizeof p);
	}
	put(headers, table.data(), table.size() * sizeof table[0]);
	for (std::size_t n = 0; n < all.size(); n++)
		put(table[n].sh_offset, all[n].bytes.data(),
		    n == 0 ? 0 : all[n].bytes.size());
	out.close();
	BOOST_REQUIRE(truncate(path.c_str(), static_cast<off_t>(
	    std::max(at, file_size))) == 0);
}

std::string
packed(const std::string &bytes)
{
	Elf64_Chdr h{};
	h.ch_type = ELFCOMPRESS_ZLIB;
	h.ch_size = bytes.size();
	h.ch_addralign = 1;
	uLongf size = compressBound(bytes.size());
	std::string to(sizeof h + size, '\0');
	std::copy_n(reinterpret_cast<const char *>(&h), sizeof h, to.data());
	BOOST_REQUIRE(compress2(reinterpret_cast<Bytef *>(to.data() +
	    sizeof h), &size, reinterpret_cast<const Bytef *>(bytes.data()),
	    bytes.size(), 9) == Z_OK);
	to.resize(sizeof h + size);
	return to;
}

namespace {

std::uint64_t
number_behind(const char *path, const std::string &key)
{
	std::ifstream in(path);
	std::string word;
	std::uint64_t n = 0;
	while (in >> word)
		if (word == key && in >> n)
			break;
	return n;
}

std::uint64_t
most_memory()
{
	return number_behind("/proc/self/status", "VmHWM:") << 10;
}

} // namespace

cost::cost()
{
	malloc_trim(0);
	std::ofstream("/proc/self/clear_refs") << "5";
	read_ = number_behind("/proc/self/io", "rchar:");
	memory_ = most_memory();
}

std::uint64_t
cost::bytes_read() const
{
	return number_behind("/proc/self/io", "rchar:") - read_;
}

std::uint64_t
cost::memory() const
{
#ifdef __SANITIZE_ADDRESS__
	return 0;	// freed memory is kept
#else
	const std::uint64_t now = most_memory();
	return now < memory_ ? 0 : now - memory_;
#endif
}

opening_watch::opening_watch(const std::string &path)
    : fd_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC))
{
	BOOST_REQUIRE(inotify_add_watch(fd_, path.c_str(), IN_OPEN) >= 0);
}

opening_watch::~opening_watch()
{
	close(fd_);
}

bool
opening_watch::opened() const
{
	alignas(inotify_event) char events[4096];
	return read(fd_, events, sizeof events) > 0;
}

budgets_by::budgets_by(float factor)
{
	stack9::budgets::factor = factor;
}

budgets_by::~budgets_by()
{
	stack9::budgets::factor = 1;
}
