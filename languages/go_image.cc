// Finds .gopclntab in an ELF file, and the address that it leaves to the
// loader.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <string_view>

#include <gelf.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "process/elf_parts.h"

#include "go_table.h"

namespace stack9::languages {
namespace {

// A table without a section of its own is searched for in so many bytes.
constexpr std::uint64_t searched_max = 64 << 20;

class image_reader {
public:
	explicit image_reader(file &f) noexcept : file_(f) {}
	go_image read();

private:
	template <typename F> void each_section(F what);
	template <typename F> void each_segment(F what);
	void note_section(const GElf_Shdr &);
	void search(const go_image::part &);
	void ask_module(std::size_t table);
	void search_module(std::size_t table);
	void relocate(Elf_Scn *, const GElf_Shdr &);

	file_part
	part(std::uint64_t offset, std::uint64_t size) const noexcept
	{
		return {file_, offset, size};
	}
	const char *name_of(const GElf_Shdr &) const noexcept;

	file		&file_;
	go_image	 image_;
	std::size_t	 names_ = 0;	// their section
	std::uint64_t	 left_ = searched_max;
	std::uint64_t	 text_ = 0;	// the section
	file_part	 module_{};	// the section, too
	bool		 is_go_ = false;
};

const char *
image_reader::name_of(const GElf_Shdr &s) const noexcept
{
	const char *const name = elf_strptr(file_.elf(), names_, s.sh_name);
	return name == nullptr ? "" : name;
}

template <typename F>
void
image_reader::each_section(F what)
{
	GElf_Shdr s;
	for (Elf_Scn *i = nullptr;
	    (i = elf_nextscn(file_.elf(), i)) != nullptr;)
		if (gelf_getshdr(i, &s) != nullptr)
			what(i, s);
}

template <typename F>
void
image_reader::each_segment(F what)
{
	std::size_t count = 0;
	if (elf_getphdrnum(file_.elf(), &count) != 0)
		return;
	GElf_Phdr p;
	for (std::size_t i = 0; i < count; i++)
		if (gelf_getphdr(file_.elf(), static_cast<int>(i), &p) !=
		    nullptr && p.p_type == PT_LOAD)
			what(p);
}

void
image_reader::note_section(const GElf_Shdr &s)
{
	const std::string_view name = name_of(s);
	if ((name == ".gopclntab" || name == ".data.rel.ro.gopclntab") &&
	    s.sh_type == SHT_PROGBITS && (s.sh_flags & SHF_COMPRESSED) == 0)
		image_.tables.push_back({s.sh_addr,
		    part(s.sh_offset, s.sh_size)});
	if (name == ".text")
		text_ = s.sh_addr;
	if (name == ".go.module" && s.sh_type == SHT_PROGBITS)
		module_ = part(s.sh_offset, s.sh_size);
	if (name == ".go.buildinfo" || name == ".note.go.buildid")
		is_go_ = true;
}

// The magic numbers of all layouts have these bytes in common, and no padding
// follows them.  Go aligns the table to 32 bytes, and since 1.27 to 8.
bool
may_begin(const unsigned char *at) noexcept
{
	return at[0] >= 0xf0 && at[1] == 0xff && at[2] == 0xff &&
	    at[3] == 0xff && at[4] == 0 && at[5] == 0 && at[6] != 0 &&
	    at[6] <= 4 && at[7] == sizeof(std::uint64_t);
}

void
image_reader::search(const go_image::part &where)
{
	constexpr std::size_t step = 8, candidates_max = 64;
	std::vector<unsigned char> window(1 << 16);
	const std::uint64_t size = std::min(left_, where.bytes.size());
	left_ -= size;
	if (!where.bytes.is_there(0, size))
		return;
	for (std::uint64_t at = 0; at < size; at += window.size()) {
		const std::size_t got = where.bytes.some(at, window.data(),
		    window.size());
		for (std::size_t i = 0; i + step <= got; i += step)
			if (may_begin(&window[i]) &&
			    image_.tables.size() < candidates_max)
				image_.tables.push_back({where.vaddr + at + i,
				    where.bytes.behind(at + i)});
	}
}

// Since Go 1.26 the table does not have the address of the code.  The runtime's
// record of the program has it, after the address of the table.  Where C is in
// it, the section begins with code of C.
void
image_reader::ask_module(std::size_t table)
{
	constexpr std::uint64_t text_at = 22 * sizeof(std::uint64_t);
	std::uint64_t its = 0, text = 0;
	if (module_.value(0, its) && its == image_.tables[table].vaddr &&
	    module_.value(text_at, text) && text != 0)
		image_.texts[table] = text;
}

// Finds the record where no section says it: it begins with the address of the
// table, and its first function is where the code begins.
void
image_reader::search_module(std::size_t table)
{
	constexpr std::size_t word = sizeof(std::uint64_t), first = 20 * word,
	    text_at = 22 * word;
	std::vector<std::uint64_t> window(1 << 13);
	for (const go_image::part &p : image_.segments) {
		const std::uint64_t size = std::min(left_, p.bytes.size());
		left_ -= size;
		std::size_t got;
		for (std::uint64_t at = 0; at < size; at += got) {
			got = p.bytes.some(at, window.data(),
			    window.size() * word) / word * word;
			if (got == 0)
				break;
			for (std::size_t i = 0; i < got / word; i++) {
				const std::uint64_t here = at + i * word;
				std::uint64_t begin, text;
				if (window[i] != image_.tables[table].vaddr ||
				    !p.bytes.value(here + first, begin) ||
				    !p.bytes.value(here + text_at, text) ||
				    text != begin || text == 0)
					continue;
				image_.texts[table] = text;
				return;
			}
		}
	}
}

// The address of the code is a word of the table that the loader fills in.
void
image_reader::relocate(Elf_Scn *section, const GElf_Shdr &s)
{
	if (s.sh_type != SHT_RELA || s.sh_entsize == 0)
		return;
	bool beyond = false;
	Elf_Data *const data = process::read_section(file_.fd(), section,
	    budgets::relocations, beyond);
	if (beyond)
		leave_out(budgets::left_out::go_tables);
	if (data == nullptr)
		return;
	GElf_Rela r;
	for (int i = 0; gelf_getrela(data, i, &r) != nullptr; i++)
		for (std::size_t n = 0; n < image_.tables.size(); n++)
			if (r.r_offset == image_.tables[n].vaddr + go_text_at)
				image_.texts[n] =
				    static_cast<std::uint64_t>(r.r_addend);
}

go_image
image_reader::read()
{
	const std::lock_guard locked(file_.lock());
	bool sections = process::find_names(file_.fd(), file_.elf(), names_);
	if (sections)
		each_section([&](Elf_Scn *, const GElf_Shdr &s) {
			note_section(s);
		});
	sections = sections && text_ != 0;	// 0: cut off, or empty
	each_segment([&](const GElf_Phdr &p) {
		image_.segments.push_back({p.p_vaddr,
		    part(p.p_offset, p.p_filesz)});
		if (!sections && (p.p_flags & PF_X) == 0)
			search(image_.segments.back());
	});
	// GNU ld joins the table to other data in position-independent
	// programs.
	if (is_go_ && image_.tables.empty())
		each_section([&](Elf_Scn *, const GElf_Shdr &s) {
			if (std::string_view(name_of(s)) == ".data.rel.ro")
				search({s.sh_addr,
				    part(s.sh_offset, s.sh_size)});
		});
	image_.texts.assign(image_.tables.size(), text_);
	for (std::size_t n = 0; n < image_.tables.size(); n++)
		if (std::uint64_t text; text_ != 0)
			ask_module(n);
		else if (image_.tables[n].bytes.value(go_text_at, text) &&
		    text == 0)
			search_module(n);
	if (!image_.tables.empty())
		each_section([&](Elf_Scn *i, const GElf_Shdr &s) {
			relocate(i, s);
		});
	return std::move(image_);
}

} // namespace

go_image
go_image_of(file &f)
{
	if (!f.is_elf() || !f.is_64())
		return {};
	return image_reader(f).read();
}

} // namespace stack9::languages
