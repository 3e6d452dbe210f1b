// Reads a file's .eh_frame and .debug_frame, and finds rows in them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tables.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>

#include <gelf.h>
#include "unwind/cursor.h"

namespace stack9::process {
namespace {

// The largest programs have far less; a damaged file may claim anything.
constexpr std::uint64_t size_max = 256 << 20;

// The place of something in the file, and in memory.  size 0: it is nowhere.
struct extent {
	std::uint64_t	offset = 0, vaddr = 0, size = 0;

	std::uint64_t end() const noexcept { return offset + size; }
	// Tells whether one stretch of memory has both.
	bool
	is_beside(const extent &o) const noexcept
	{
		return vaddr - offset == o.vaddr - o.offset;
	}
};

extent
both(const extent &a, const extent &b) noexcept
{
	extent e = a.offset < b.offset ? a : b;
	e.size = std::max(a.end(), b.end()) - e.offset;
	return e;
}

unwind::cfi_section
bytes_of(Elf *elf, const extent &e) noexcept
{
	unwind::cfi_section s;
	if (e.size == 0 || e.size > size_max)
		return s;
	const Elf_Data *const data = elf_getdata_rawchunk(elf,
	    static_cast<std::int64_t>(e.offset), e.size, ELF_T_BYTE);
	if (data != nullptr && data->d_buf != nullptr)
		s.bytes = {static_cast<const std::byte *>(data->d_buf),
		    data->d_size};
	s.address = e.vaddr;
	return s;
}

// Finds the first segment of a type that holds vaddr; if vaddr is 0, the first
// segment of the type.
extent
segment(Elf *elf, std::uint32_t type, std::uint64_t vaddr) noexcept
{
	std::size_t count = 0;
	GElf_Phdr p;
	elf_getphdrnum(elf, &count);
	for (std::size_t n = 0; n < count &&
	    gelf_getphdr(elf, static_cast<int>(n), &p) != nullptr; n++)
		if (p.p_type == type && (vaddr == 0 ||
		    vaddr - p.p_vaddr < p.p_filesz))
			return {p.p_offset, p.p_vaddr, p.p_filesz};
	return {};
}

Elf_Scn *
section_named(Elf *elf, std::string_view name, GElf_Shdr &header) noexcept
{
	std::size_t names;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return nullptr;
	for (Elf_Scn *s = nullptr; (s = elf_nextscn(elf, s)) != nullptr;) {
		const char *is;
		if (gelf_getshdr(s, &header) != nullptr &&
		    header.sh_type != SHT_NOBITS &&
		    (is = elf_strptr(elf, names, header.sh_name)) != nullptr &&
		    is == name)
			return s;
	}
	return nullptr;
}

// Finds .eh_frame without section headers.  Its .eh_frame_hdr says where it
// begins; nothing says where it ends.
extent
behind_header(Elf *elf, const extent &header) noexcept
{
	const unwind::cfi_section s = bytes_of(elf, header);
	unwind::cursor c(s.bytes, s.address);
	const auto version = c.fixed<std::uint8_t>();
	const auto encoding = c.fixed<std::uint8_t>();
	c.skip(2);
	const std::uintptr_t at = c.pointer(encoding, s);
	if (!c.ok() || version != 1)
		return {};
	const extent all = segment(elf, PT_LOAD, at);
	const std::uint64_t within = at - all.vaddr;
	if (all.size <= within)
		return {};
	return {all.offset + within, at, all.size - within};
}

} // namespace

tables::section
tables::read_eh_frame(Elf *elf)
{
	section s;
	GElf_Shdr h;
	extent frames;
	const extent header = segment(elf, PT_GNU_EH_FRAME, 0);
	if (section_named(elf, ".eh_frame", h) != nullptr)
		frames = {h.sh_offset, h.sh_addr, h.sh_size};
	else if (header.size != 0)
		frames = behind_header(elf, header);
	if (frames.size != 0 && header.size != 0 && header.is_beside(frames)) {
		s.bytes = bytes_of(elf, both(header, frames));
		s.header = header.vaddr;
	}
	if (s.bytes.bytes.empty()) {
		s.header = 0;
		s.bytes = bytes_of(elf, frames);
		s.index = frame_index(s.bytes);
	}
	return s;
}

tables::section
tables::read_debug_frame(Elf *elf)
{
	section s;
	GElf_Shdr h;
	Elf_Scn *scn = section_named(elf, ".debug_frame", h);
	if (scn == nullptr) {
		scn = section_named(elf, ".zdebug_frame", h);
		if (scn == nullptr || elf_compress_gnu(scn, 0, 0) < 0)
			return s;
	} else if ((h.sh_flags & SHF_COMPRESSED) != 0 &&
	    elf_compress(scn, 0, 0) < 0)
		return s;
	const Elf_Data *const data = elf_getdata(scn, nullptr);
	if (data == nullptr || data->d_buf == nullptr)
		return s;
	s.bytes.bytes = {static_cast<const std::byte *>(data->d_buf),
	    data->d_size};
	s.bytes.debug_frame = true;
	s.index = frame_index(s.bytes);
	return s;
}

const tables::section *
tables::once::get(file &f, reader read) noexcept
{
	if (const section *const s = it_.load(std::memory_order_acquire))
		return s;
	const std::lock_guard hold(f.lock());
	if (const section *const s = it_.load(std::memory_order_acquire))
		return s;
	try {
		it_.store(new section(read(f.elf())),
		    std::memory_order_release);
	} catch (const std::bad_alloc &) {
	}
	return it_.load(std::memory_order_relaxed);
}

unwind::found
tables::row_in(const section *s, std::uint64_t vaddr, unwind::row &to) noexcept
{
	std::size_t fde;
	if (s == nullptr)
		return unwind::found::no;
	if (s->header != 0)
		return unwind::row_by_header(s->bytes, s->header, vaddr, to);
	return s->index.find(vaddr, fde) ?
	    unwind::row_of_fde(s->bytes, fde, vaddr, to) : unwind::found::no;
}

tables *
tables::of(file &f) noexcept
{
	return f.is_elf() ? static_cast<tables *>(f.cfi.get()) : nullptr;
}

unwind::found
tables::eh_frame_row(file &f, std::uint64_t vaddr, unwind::row &to) noexcept
{
	return row_in(eh_frame_.get(f, read_eh_frame), vaddr, to);
}

unwind::found
tables::debug_frame_row(file &f, std::uint64_t vaddr, unwind::row &to) noexcept
{
	return row_in(debug_frame_.get(f, read_debug_frame), vaddr, to);
}

} // namespace stack9::process
