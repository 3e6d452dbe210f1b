// Looks at sizes before libelf and libdw do, because these believe what a file
// says.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "elf_parts.h"

#include <cerrno>
#include <cstring>
#include <string_view>

#include <gelf.h>
#include <unistd.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"

namespace stack9::process {
namespace {

using budgets::exceeds;
using budgets::left_out;

// Counts the bytes of a part of a file that are in no hole, up to `enough`.  A
// file system that knows no holes says that all is data.
bool
has_data(int fd, std::uint64_t offset, std::uint64_t size,
    std::uint64_t enough) noexcept
{
	constexpr int pieces_max = 1 << 12;
	const auto end = static_cast<off_t>(offset + size);
	std::uint64_t data = 0;
	auto at = static_cast<off_t>(offset);
	for (int n = 0; n < pieces_max && data < enough; n++) {
		const off_t from = lseek(fd, at, SEEK_DATA);
		if (from < 0 && errno != ENXIO)
			return true;
		if (from < 0 || from >= end)
			return false;
		const off_t to = lseek(fd, from, SEEK_HOLE);
		at = to < 0 || to > end ? end : to;
		data += static_cast<std::uint64_t>(at - from);
	}
	return data >= enough;
}

// The fields of headers that say how many others libelf would read.  Large
// numbers are in the first section's header.
template <class Ehdr, class Shdr>
bool
headers_fit(int fd, const Ehdr &h) noexcept
{
	Shdr first{};
	if (h.e_shoff != 0 && (h.e_phnum == PN_XNUM || h.e_shnum == 0) &&
	    pread(fd, &first, sizeof first, static_cast<off_t>(h.e_shoff)) !=
	    sizeof first)
		return true;	// libelf will not read any
	return !exceeds(h.e_phnum == PN_XNUM ? first.sh_info : h.e_phnum,
	    budgets::segments) &&
	    !exceeds(h.e_shnum == 0 ? first.sh_size : h.e_shnum,
	    budgets::sections);
}

// False: it is no ELF file.
bool
read_start(int fd, Elf64_Ehdr &h) noexcept
{
	return pread(fd, &h, sizeof h, 0) >=
	    static_cast<ssize_t>(sizeof(Elf32_Ehdr)) &&
	    std::memcmp(h.e_ident, ELFMAG, SELFMAG) == 0 &&
	    h.e_ident[EI_DATA] == ELFDATA2LSB;
}

// The sections that libdw reads have such names; others do no harm.
bool
is_debug(std::string_view name) noexcept
{
	return name.starts_with(".debug_") || name.starts_with(".zdebug_") ||
	    name.starts_with(".gnu.debuglto_") ||
	    name.starts_with(".gnu_debugaltlink");
}

// Newer versions of libdw open the file that such a section names.
bool
names_package(std::string_view name) noexcept
{
	return name == ".debug_dwp" || name == ".zdebug_dwp";
}

bool
is_big_packed(const Elf_Data &packed, std::uint64_t size,
    std::uint64_t budget) noexcept
{
	return exceeds(size, budget) || (exceeds(size, budgets::hole) &&
	    exceeds(size / budgets::unpacked_share, packed.d_size));
}

// The form that GNU ld wrote before compression was part of ELF: "ZLIB", and
// the size in big-endian order.
bool
unpack_gnu(Elf_Scn *section, std::uint64_t budget, bool &beyond) noexcept
{
	const Elf_Data *const raw = elf_rawdata(section, nullptr);
	constexpr std::size_t head = 12;
	if (raw == nullptr || raw->d_buf == nullptr || raw->d_size < head ||
	    std::memcmp(raw->d_buf, "ZLIB", 4) != 0)
		return true;	// libdw takes it for unpacked
	std::uint64_t size = 0;
	for (std::size_t n = 4; n < head; n++)
		size = size << 8 |
		    static_cast<const unsigned char *>(raw->d_buf)[n];
	beyond = is_big_packed(*raw, size, budget);
	return !beyond && elf_compress_gnu(section, 0, 0) >= 0;
}

bool
unpack(Elf_Scn *section, std::uint64_t budget, bool &beyond) noexcept
{
	const Elf_Data *const raw = elf_rawdata(section, nullptr);
	GElf_Chdr h;
	if (raw == nullptr || gelf_getchdr(section, &h) == nullptr)
		return false;
	beyond = is_big_packed(*raw, h.ch_size, budget);
	return !beyond && elf_compress(section, 0, 0) >= 0;
}

// Reads a section as its bytes, unpacked.
bool
load(int fd, Elf_Scn *section, const GElf_Shdr &h, bool gnu,
    std::uint64_t budget, bool &beyond) noexcept
{
	beyond = !may_read(fd, h.sh_offset, h.sh_size, budget);
	if (beyond)
		return false;
	if ((h.sh_flags & SHF_COMPRESSED) != 0)
		return unpack(section, budget, beyond);
	return !gnu || unpack_gnu(section, budget, beyond);
}

} // namespace

bool
may_read(int fd, std::uint64_t offset, std::uint64_t size,
    std::uint64_t budget) noexcept
{
	if (exceeds(size, budget))
		return false;
	if (fd < 0 || !exceeds(size, budgets::hole))
		return true;
	return offset <= INT64_MAX - size &&
	    has_data(fd, offset, size, size / budgets::hole_share);
}

Elf *
begin_elf(int fd) noexcept
{
	Elf64_Ehdr h{};
	if (!read_start(fd, h))
		return nullptr;
	Elf32_Ehdr narrow;
	std::memcpy(&narrow, &h, sizeof narrow);
	if (h.e_ident[EI_CLASS] == ELFCLASS64 ?
	    !headers_fit<Elf64_Ehdr, Elf64_Shdr>(fd, h) :
	    !headers_fit<Elf32_Ehdr, Elf32_Shdr>(fd, narrow)) {
		leave_out(left_out::headers);
		return nullptr;
	}
	elf_version(EV_CURRENT);
	return elf_begin(fd, ELF_C_READ, nullptr);
}

Elf *
begin_elf(char *image, std::size_t size) noexcept
{
	elf_version(EV_CURRENT);
	return elf_memory(image, size);
}

bool
find_names(int fd, Elf *elf, std::size_t &index) noexcept
{
	GElf_Shdr h;
	if (elf_getshdrstrndx(elf, &index) != 0 || index == 0 ||
	    gelf_getshdr(elf_getscn(elf, index), &h) == nullptr)
		return false;
	if ((h.sh_flags & SHF_COMPRESSED) == 0 && may_read(fd, h.sh_offset,
	    h.sh_size, budgets::section_names))
		return true;
	leave_out(left_out::headers);
	return false;
}

Elf_Data *
read_section(int fd, Elf_Scn *section, std::uint64_t budget, bool &beyond,
    bool gnu) noexcept
{
	GElf_Shdr h;
	if (gelf_getshdr(section, &h) == nullptr ||
	    !load(fd, section, h, gnu, budget, beyond))
		return nullptr;
	return elf_getdata(section, nullptr);
}

bool
read_debug_sections(int fd, Elf *elf, std::uint64_t &size) noexcept
{
	std::size_t names;
	size = 0;
	if (!find_names(fd, elf, names))
		return elf_getshdrstrndx(elf, &names) != 0 || names == 0;
	for (Elf_Scn *s = nullptr; (s = elf_nextscn(elf, s)) != nullptr;) {
		GElf_Shdr h;
		if (gelf_getshdr(s, &h) == nullptr || h.sh_type == SHT_NOBITS)
			continue;
		const char *const text = elf_strptr(elf, names, h.sh_name);
		const std::string_view name = text == nullptr ? "" : text;
		bool beyond = false;
		if (!is_debug(name))
			continue;
		if (names_package(name))
			return false;
		load(fd, s, h, name.starts_with(".z"), budgets::debug_info,
		    beyond);
		const Elf_Data *const data = beyond ? nullptr :
		    elf_rawdata(s, nullptr);
		size += data != nullptr ? data->d_size : 0;
		if (beyond || exceeds(size, budgets::debug_info))
			return false;
	}
	return true;
}

} // namespace stack9::process
