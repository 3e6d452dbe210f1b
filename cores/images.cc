// Reads ELF headers from the memory of a core.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "images.h"

#include <algorithm>
#include <cstring>

#include <elf.h>

#include "budgets/budgets.h"

namespace stack9::cores {
namespace {

constexpr std::size_t headers_max = 128, first_page = 4096;

// Finds the build-id among notes.
build_id_bytes
id_in(const std::vector<unsigned char> &notes)
{
	constexpr std::size_t longest = 64;
	std::size_t at = 0;
	Elf64_Nhdr n;
	while (notes.size() - at >= sizeof n) {
		std::memcpy(&n, notes.data() + at, sizeof n);
		at += sizeof n;
		constexpr std::uint64_t padding = 3;
		const std::uint64_t name = (n.n_namesz + padding) & ~padding,
		    content = (n.n_descsz + padding) & ~padding;
		if (name > notes.size() - at ||
		    n.n_descsz > notes.size() - at - name)
			return {};
		const unsigned char *const from = notes.data() + at;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_descsz <= longest &&
		    n.n_namesz == sizeof ELF_NOTE_GNU &&
		    std::memcmp(from, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0)
			return {from + name, from + name + n.n_descsz};
		at += std::min<std::uint64_t>(name + content,
		    notes.size() - at);
	}
	return {};
}

template <class Phdr>
void
take_note(core_process &p, const Phdr &h, image &to)
{
	std::vector<unsigned char> notes(std::min<std::uint64_t>(h.p_filesz,
	    budgets::notes));
	if (!to.build_id.empty())
		return;
	if (p.read_kept(to.bias + h.p_vaddr, notes.data(), notes.size()))
		to.build_id = id_in(notes);
	else
		to.may_lack_id = false;
}

template <class Ehdr, class Phdr>
image
read_headers(core_process &p, std::uint64_t base)
{
	image to;
	Ehdr h;
	if (!p.read_kept(base, &h, sizeof h) ||
	    std::memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 ||
	    h.e_ident[EI_CLASS] != (sizeof h == sizeof(Elf64_Ehdr) ?
	    ELFCLASS64 : ELFCLASS32) || h.e_phentsize != sizeof(Phdr) ||
	    h.e_phnum == 0 || h.e_phnum > headers_max || h.e_phoff > first_page)
		return to;
	std::vector<Phdr> all(h.e_phnum);
	const std::size_t size = all.size() * sizeof all[0];
	if (!p.read_kept(base + h.e_phoff, all.data(), size))
		return to;
	to.headers.resize(h.e_phoff + size);
	if (!p.read_kept(base, to.headers.data(), to.headers.size()))
		return to;
	for (const Phdr &each : all)
		if (each.p_type == PT_LOAD) {
			if (!to.is_read && each.p_offset < first_page)
				to.bias = base - (each.p_vaddr - each.p_offset);
			to.is_read |= each.p_offset < first_page;
			to.loads.push_back({each.p_vaddr, each.p_offset,
			    each.p_filesz, each.p_flags});
		} else if (each.p_type == PT_DYNAMIC) {
			to.dynamic = each.p_vaddr;
		}
	for (const Phdr &each : all)
		if (to.is_read && each.p_type == PT_NOTE)
			take_note(p, each, to);
	return to;
}

} // namespace

image
read_image(core_process &p, std::uint64_t base)
{
	return p.has().about.is_32 != 0 ?
	    read_headers<Elf32_Ehdr, Elf32_Phdr>(p, base) :
	    read_headers<Elf64_Ehdr, Elf64_Phdr>(p, base);
}

std::string
hex_of(const build_id_bytes &id)
{
	std::string text;
	for (const unsigned char b : id) {
		text += "0123456789abcdef"[b >> 4];
		text += "0123456789abcdef"[b & 15];
	}
	return text;
}

} // namespace stack9::cores
