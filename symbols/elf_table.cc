// The functions of one ELF image, sorted, by libelf.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "elf_table.h"

#include <algorithm>

#include <gelf.h>

namespace stack9 {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

Elf_Scn *
find_symbols(Elf *elf, GElf_Shdr &sh)
{
	Elf_Scn *dynsym = nullptr;
	for (Elf_Scn *s = nullptr; (s = elf_nextscn(elf, s)) != nullptr;) {
		if (gelf_getshdr(s, &sh) == nullptr)
			continue;
		if (sh.sh_type == SHT_SYMTAB)
			return s;
		if (sh.sh_type == SHT_DYNSYM && dynsym == nullptr)
			dynsym = s;
	}
	if (dynsym != nullptr && gelf_getshdr(dynsym, &sh) == nullptr)
		return nullptr;
	return dynsym;
}

struct named_function : function_symbol {
	const char	*name;	// in the Elf's memory
};

std::vector<named_function>
collect(Elf *elf)
{
	std::vector<named_function> all;
	GElf_Shdr sh;
	Elf_Scn *s = find_symbols(elf, sh);
	Elf_Data *data = s != nullptr ? elf_getdata(s, nullptr) : nullptr;
	GElf_Sym sym;
	for (int i = 0;
	    data != nullptr && gelf_getsym(data, i, &sym) != nullptr; i++) {
		named_function f;
		if (!to_function(sym, f))
			continue;
		f.name = elf_strptr(elf, sh.sh_link, sym.st_name);
		if (f.name == nullptr)
			continue;
		f.name_length = name_length(f.name, STACK9_NAME_MAX - 1);
		if (f.name_length != 0)
			all.push_back(f);
	}
	return all;
}

} // namespace

elf_table::elf_table(Elf *elf)
{
	auto all = collect(elf);
	std::stable_sort(all.begin(), all.end(),
	    [](const named_function &a, const named_function &b) {
		    return a.start != b.start ? a.start < b.start :
		        a.better_than(b);
	    });
	const auto last = std::unique(all.begin(), all.end(),
	    [](const named_function &a, const named_function &b) {
		    return a.start == b.start;
	    });
	all.erase(last, all.end());
	entries.reserve(all.size());
	for (const named_function &f : all) {
		entries.push_back({f.start, f.size,
		    static_cast<std::uint32_t>(names.size()), none});
		names.append(f.name, f.name_length).push_back('\0');
	}
	names.shrink_to_fit();
	link_outer();
}

void
elf_table::link_outer()
{
	const auto ends_by = [this](std::uint32_t i, std::uint64_t vaddr) {
		return vaddr - entries[i].start >= entries[i].size;
	};
	std::uint32_t open = none;	// innermost of those still open
	for (std::uint32_t i = 0; i < entries.size(); i++) {
		while (open != none && ends_by(open, entries[i].start))
			open = entries[open].outer;
		entries[i].outer = open;
		open = i;
	}
}

const elf_table::entry *
elf_table::find(std::uint64_t vaddr) const noexcept
{
	const auto next = std::upper_bound(entries.begin(), entries.end(),
	    vaddr, [](std::uint64_t v, const entry &e) { return v < e.start; });
	if (next == entries.begin())
		return nullptr;
	std::uint32_t i = next - entries.begin() - 1;
	while (i != none && vaddr != entries[i].start &&
	    vaddr - entries[i].start >= entries[i].size)
		i = entries[i].outer;
	return i != none ? &entries[i] : nullptr;
}

std::string_view
elf_table::name(const entry &e) const noexcept
{
	return names.c_str() + e.name;
}

std::size_t
elf_table::memory() const noexcept
{
	return entries.capacity() * sizeof(entry) + names.capacity();
}

} // namespace stack9
