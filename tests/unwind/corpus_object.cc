// Opens and lays out ELF objects.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "corpus_object.h"

#include <algorithm>
#include <string_view>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using stack9::unwind::cfi_section;

namespace {

constexpr std::uintptr_t page = 4096;

std::vector<GElf_Phdr>
program_headers(Elf *elf, unsigned int type)
{
	std::vector<GElf_Phdr> found;
	std::size_t count = 0;
	elf_getphdrnum(elf, &count);
	for (std::size_t i = 0; i < count; i++) {
		GElf_Phdr header;
		if (gelf_getphdr(elf, static_cast<int>(i), &header) != nullptr
		    && header.p_type == type)
			found.push_back(header);
	}
	return found;
}

void
map_segment(int fd, char *at, const GElf_Phdr &segment)
{
	const std::uintptr_t before = segment.p_vaddr % page;
	if (segment.p_filesz == 0 || segment.p_offset % page != before)
		return;
	mmap(at - before, segment.p_filesz + before, PROT_READ,
	    MAP_PRIVATE | MAP_FIXED, fd,
	    static_cast<off_t>(segment.p_offset - before));
}

} // namespace

laid_out::laid_out(int fd, Elf *elf)
{
	const auto segments = program_headers(elf, PT_LOAD);
	if (segments.empty())
		return;
	std::uintptr_t low = ~std::uintptr_t{0}, high = 0;
	for (const GElf_Phdr &s : segments) {
		low = std::min(low, s.p_vaddr / page * page);
		high = std::max(high, s.p_vaddr + s.p_memsz);
	}
	size_ = (high - low + page - 1) / page * page;
	void *const at = mmap(nullptr, size_, PROT_NONE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return;
	at_ = at;
	address_ = low;
	for (const GElf_Phdr &s : segments)
		map_segment(fd, static_cast<char *>(at_) + (s.p_vaddr - low),
		    s);
}

laid_out::~laid_out()
{
	if (at_ != nullptr)
		munmap(at_, size_);
}

cfi_section
laid_out::image() const
{
	cfi_section section;
	if (at_ != nullptr)
		section.bytes = {static_cast<const std::byte *>(at_), size_};
	section.address = address_;
	return section;
}

object::object(const std::string &path)
    : name(path), fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)),
      elf_((elf_version(EV_CURRENT), elf_begin(fd_, ELF_C_READ_MMAP, nullptr))),
      laid_(fd_, elf_)
{
	find_header();
	find_sections();
}

object::object(const std::string &n, void *at, std::size_t size)
    : name(n), elf_((elf_version(EV_CURRENT),
	elf_memory(static_cast<char *>(at), size)))
{
	find_header();
	find_sections();
}

object::~object()
{
	if (eh_frame.libdw != nullptr)
		dwarf_cfi_end(eh_frame.libdw);
	dwarf_end(dwarf_);
	elf_end(elf_);
	if (fd_ >= 0)
		close(fd_);
}

void
object::find_header()
{
	for (const GElf_Phdr &h : program_headers(elf_, PT_GNU_EH_FRAME))
		header = h.p_vaddr;
}

void
object::find_sections()
{
	std::size_t names = 0;
	elf_getshdrstrndx(elf_, &names);
	Elf_Scn *scn = nullptr;
	while ((scn = elf_nextscn(elf_, scn)) != nullptr) {
		GElf_Shdr h;
		if (gelf_getshdr(scn, &h) == nullptr || h.sh_type == SHT_NOBITS)
			continue;
		const char *const s = elf_strptr(elf_, names, h.sh_name);
		const std::string_view section = s == nullptr ? "" : s;
		const bool debug = section == ".debug_frame";
		if (!debug && section != ".eh_frame")
			continue;
		Elf_Data *const data = elf_getdata(scn, nullptr);
		if (data == nullptr || data->d_buf == nullptr)
			continue;
		frame_section &to = debug ? debug_frame : eh_frame;
		to.cfi.bytes = {static_cast<std::byte *>(data->d_buf),
		    data->d_size};
		to.cfi.address = h.sh_addr;
		to.cfi.debug_frame = debug;
		to.functions = functions_of(elf_, data, to.cfi, header);
	}
	if (!eh_frame.functions.empty())
		eh_frame.libdw = dwarf_getcfi_elf(elf_);
	if (!debug_frame.functions.empty()) {
		dwarf_ = dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
		debug_frame.libdw = dwarf_ == nullptr ? nullptr :
		    dwarf_getcfi(dwarf_);
	}
}
