// Reads a file's .eh_frame and .debug_frame, and finds rows in them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tables.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>

#include <gelf.h>

#include "arch/described.h"
#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "unwind/cursor.h"

#include "each_section.h"
#include "memory_want.h"
#include "written_over.h"

namespace stack9::process {
namespace {

// The place of something in the file, and in memory.  size 0: it is nowhere.
struct extent {
	std::uint64_t	offset = 0, vaddr = 0, size = 0;

	std::uint64_t end() const noexcept { return offset + size; }
	// Returns true if one stretch of memory has both.
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

// Says of what CPU the rows of a file are.
void
note_cpu(const file &f, unwind::cfi_section &to) noexcept
{
	to.word = f.is_64() ? 8 : 4;
	arch::with_described(f.machine(), [&to](auto cpu) {
		to.columns = decltype(cpu)::registers::count;
	});
}

// Takes a share for what is read; libelf keeps it as long as the file.  Gives
// no bytes where the budget has no room for them.
unwind::cfi_section
bytes_of(const file &f, const extent &e, budgets::share &share) noexcept
{
	unwind::cfi_section s;
	note_cpu(f, s);
	if (e.size == 0)
		return s;
	if (!may_read(f.fd(), e.offset, e.size, budgets::unwind_info) ||
	    !share.take(e.size))
		return s;
	const Elf_Data *const data = elf_getdata_rawchunk(f.elf(),
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
section_named(const file &f, std::string_view name, GElf_Shdr &header) noexcept
{
	Elf_Scn *found = nullptr;
	find_named_section(f.fd(), f.elf(), [&](Elf_Scn *s, const GElf_Shdr &h,
	    std::string_view is) {
		if (h.sh_type == SHT_NOBITS || is != name)
			return false;
		header = h;
		found = s;
		return true;
	});
	return found;
}

// Finds .eh_frame without section headers.  Its .eh_frame_hdr says where it
// begins; nothing says where it ends.
extent
behind_header(const file &f, const extent &header, budgets::share &share)
    noexcept
{
	const unwind::cfi_section s = bytes_of(f, header, share);
	unwind::cursor c(s.bytes, s.address);
	const auto version = c.fixed<std::uint8_t>();
	const auto encoding = c.fixed<std::uint8_t>();
	c.skip(2);
	const std::uintptr_t at = c.pointer(unwind::encoding_in(s, encoding),
	    s);
	if (!c.ok() || version != 1)
		return {};
	const extent all = segment(f.elf(), PT_LOAD, at);
	const std::uint64_t within = at - all.vaddr;
	if (all.size <= within)
		return {};
	return {all.offset + within, at, all.size - within};
}

// A header may do without the table, and then each search would read all.
bool
has_table(const unwind::cfi_section &s, std::uintptr_t header) noexcept
{
	std::size_t fde;
	bool table = false;
	if (!s.bytes.empty())
		unwind::fde_by_header(s, header, 0, fde, table);
	return table;
}

} // namespace

void
tables::index(section &s)
{
	s.index = frame_index(s.bytes);
	if (!s.index.is_beyond())
		return;
	s.left_out = true;
	s.bytes.bytes = {};
	leave_out(budgets::left_out::unwind_tables);
}

// The bytes that were written over a file describe other code.
tables::section
tables::of_the_file(const file &f, section s)
{
	if (!is_written_over(f))
		return s;
	section none;
	none.left_out = true;
	return none;
}

tables::section
tables::read_eh_frame(const file &f)
{
	section s;
	GElf_Shdr h;
	extent frames;
	Elf *const elf = f.elf();
	const extent header = segment(elf, PT_GNU_EH_FRAME, 0);
	if (section_named(f, ".eh_frame", h) != nullptr)
		frames = {h.sh_offset, h.sh_addr, h.sh_size};
	else if (header.size != 0)
		frames = behind_header(f, header, s.share);
	if (frames.size != 0 && header.size != 0 && header.is_beside(frames)) {
		s.bytes = bytes_of(f, both(header, frames), s.share);
		s.header = has_table(s.bytes, header.vaddr) ? header.vaddr : 0;
	}
	if (s.header == 0) {
		s.bytes = bytes_of(f, frames, s.share);
		s.left_out = frames.size != 0 && s.bytes.bytes.empty();
		if (s.left_out)
			leave_out(budgets::left_out::unwind_tables);
		index(s);
	}
	return of_the_file(f, std::move(s));
}

tables::section
tables::read_debug_frame(const file &f)
{
	section s;
	GElf_Shdr h;
	bool beyond = false;
	Elf_Scn *scn = section_named(f, ".debug_frame", h);
	const bool gnu = scn == nullptr;
	if (gnu)
		scn = section_named(f, ".zdebug_frame", h);
	const Elf_Data *const data = scn == nullptr ? nullptr :
	    read_section(f.fd(), scn, budgets::debug_frame, beyond, gnu);
	beyond = beyond || (data != nullptr && !s.share.take(data->d_size));
	s.left_out = beyond;
	if (beyond)
		leave_out(budgets::left_out::unwind_tables);
	if (beyond || data == nullptr || data->d_buf == nullptr)
		return s;
	s.bytes.bytes = {static_cast<const std::byte *>(data->d_buf),
	    data->d_size};
	s.bytes.debug_frame = true;
	note_cpu(f, s.bytes);
	index(s);
	return of_the_file(f, std::move(s));
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
		const memory_want want;
		auto made = std::make_unique<const section>(read(f));
		want.check();
		it_.store(made.release(), std::memory_order_release);
	} catch (const std::bad_alloc &) {
	}
	return it_.load(std::memory_order_relaxed);
}

unwind::found
tables::row_in(const section *s, std::uint64_t vaddr, unwind::row &to) noexcept
{
	using unwind::found;
	std::size_t fde;
	bool table;
	// Without memory nothing is known.  That must not be kept as an answer.
	if (s == nullptr)
		return found::malformed;
	if (s->left_out)
		left_out_.store(true);
	const found how = s->header != 0 ? unwind::fde_by_header(s->bytes,
	    s->header, vaddr, fde, table) :
	    s->index.find(vaddr, fde) ? found::yes : found::no;
	if (how != found::yes)
		return how;
	return long_.may_read(s->bytes, fde) ?
	    unwind::row_of_fde(s->bytes, fde, vaddr, to) : found::malformed;
}

bool
tables::has_debug_frame(const file &f) const noexcept
{
	GElf_Shdr h;
	const std::lock_guard hold(f.lock());
	return section_named(f, ".debug_frame", h) != nullptr ||
	    section_named(f, ".zdebug_frame", h) != nullptr;
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
