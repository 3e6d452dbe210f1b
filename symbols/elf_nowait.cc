// Reads a symbol table by pread(2), from one end to the other, and keeps the
// best symbol.  Nothing here locks or allocates.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "symbol_section.h"

#include <algorithm>
#include <cerrno>

#include "symbol_choice.h"

namespace stack9 {
namespace {

// Prefers .symtab over .dynsym.
bool
find_section(const bytes &b, const ElfW(Ehdr) &eh, std::uint64_t count,
    std::span<ElfW(Shdr)> part, ElfW(Shdr) &found) noexcept
{
	found.sh_type = SHT_NULL;
	for (std::uint64_t i = 0; i < count;) {
		const std::size_t n = b.read(eh.e_shoff + i * sizeof(part[0]),
		    part.data(), std::min<std::uint64_t>(part.size(),
		    count - i) * sizeof(part[0])) / sizeof(part[0]);
		if (n == 0)
			return false;
		for (std::size_t j = 0; j < n; j++)
			if (part[j].sh_type == SHT_SYMTAB ||
			    (part[j].sh_type == SHT_DYNSYM &&
			    found.sh_type == SHT_NULL)) {
				found = part[j];
				if (found.sh_type == SHT_SYMTAB)
					return true;
			}
		i += n;
	}
	return found.sh_type != SHT_NULL;
}

} // namespace

std::uint32_t
measure_name(const bytes &b, const symbol_section &t, std::uint64_t at) noexcept
{
	char part[64];
	std::size_t n = 0;
	while (at + n < t.names_size && n < name_max - 1) {
		const std::size_t want = std::min<std::uint64_t>(sizeof(part),
		    std::min<std::uint64_t>(t.names_size - at - n,
		    name_max - 1 - n));
		const std::size_t got = b.read(t.names + at + n, part, want);
		std::size_t length = name_length(part, got);
		if (n != 0 && got != 0 && part[0] == '@')
			length = 0;	// a version begins here
		n += length;
		if (length != sizeof(part))
			break;
	}
	return static_cast<std::uint32_t>(n);
}

bool
symbol_section::find(const bytes &b, std::span<ElfW(Shdr)> room) noexcept
{
	ElfW(Ehdr) eh;
	ElfW(Shdr) sh;
	if (!read_header(b, eh) || eh.e_shoff == 0 ||
	    eh.e_shentsize != sizeof(sh) || !b.get(eh.e_shoff, sh))
		return false;
	const std::uint64_t count = eh.e_shnum != 0 ? eh.e_shnum : sh.sh_size;
	if (!find_section(b, eh, count, room, sh))
		return false;
	ElfW(Shdr) strings;
	if (sh.sh_link >= count ||
	    !b.get(eh.e_shoff + sh.sh_link * sizeof(sh), strings) ||
	    strings.sh_type != SHT_STRTAB)
		return false;
	*this = {sh.sh_offset, sh.sh_size, strings.sh_offset, strings.sh_size,
	    sh.sh_type == SHT_SYMTAB};
	return true;
}

int
elf_scan(const bytes &b, const symbol_section &t, std::span<ElfW(Sym)> room,
    std::uintptr_t vaddr, bool return_address, symbol_name &sym) noexcept
{
	const std::uintptr_t key = vaddr - return_address;
	symbol_choice best;
	t.each(b, room, [&](const ElfW(Sym) &s) {
		best.consider(b, t, s, key);
	});
	return best.put(b, t, key, return_address, sym);
}

} // namespace stack9
