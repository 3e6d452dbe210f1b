// The functions of one ELF image, sorted, by libelf.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "elf_table.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

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

// The string table, copied whole.
std::string
read_names(Elf *elf, std::size_t section)
{
	GElf_Shdr sh;
	Elf_Scn *const s = elf_getscn(elf, section);
	if (s == nullptr || gelf_getshdr(s, &sh) == nullptr ||
	    sh.sh_type != SHT_STRTAB)
		return {};
	const Elf_Data *const data = elf_getdata(s, nullptr);
	if (data == nullptr || data->d_buf == nullptr)
		return {};
	return {static_cast<const char *>(data->d_buf), data->d_size};
}

// By start, otherwise as they came.  Digit by digit: comparing, of which the
// outcome cannot be foreseen, takes four times as long.
void
sort_by_start(std::vector<elf_table::entry> &entries)
{
	constexpr unsigned int bits = 11;
	std::uint64_t used = 0;
	for (const elf_table::entry &e : entries)
		used |= e.start;
	std::vector<elf_table::entry> sorted(entries.size());
	for (unsigned int shift = 0; shift < 64 && used >> shift != 0;
	    shift += bits) {
		const auto digit = [shift](const elf_table::entry &e) {
			return e.start >> shift & ((1u << bits) - 1);
		};
		std::array<std::uint32_t, (1u << bits) + 1> at{};
		for (const elf_table::entry &e : entries)
			at[digit(e) + 1]++;
		std::partial_sum(at.begin(), at.end(), at.begin());
		for (const elf_table::entry &e : entries)
			sorted[at[digit(e)]++] = e;
		entries.swap(sorted);
	}
}

} // namespace

// While they are collected, outer holds a symbol's rank.
elf_table::elf_table(Elf *elf)
{
	GElf_Shdr sh;
	Elf_Scn *const s = find_symbols(elf, sh);
	Elf_Data *const data = s != nullptr ? elf_getdata(s, nullptr) : nullptr;
	if (data == nullptr)
		return;
	whole_ = sh.sh_type == SHT_SYMTAB;
	names = read_names(elf, sh.sh_link);
	versions_ = names.find('@') != names.npos;
	entries.reserve(data->d_size / gelf_fsize(elf, ELF_T_SYM, 1,
	    EV_CURRENT));
	GElf_Sym sym;
	function_symbol f;
	for (int i = 0; gelf_getsym(data, i, &sym) != nullptr; i++)
		if (to_function(sym, f) && sym.st_name < names.size() &&
		    names[sym.st_name] != '\0')
			entries.push_back({f.start, f.size, sym.st_name,
			    f.rank});
	keep_the_best();
	link_outer();
}

bool
elf_table::better(const entry &a, const entry &b) const noexcept
{
	const auto symbol = [this](const entry &e) {
		return function_symbol{e.start, e.size, e.outer,
		    static_cast<std::uint32_t>(name(e).size())};
	};
	return symbol(a).better_than(symbol(b));
}

void
elf_table::keep_the_best()
{
	sort_by_start(entries);
	std::size_t kept = 0;
	for (const entry &e : entries) {
		if (kept == 0 || entries[kept - 1].start != e.start)
			entries[kept++] = e;
		else if (better(e, entries[kept - 1]))
			entries[kept - 1] = e;
	}
	entries.resize(kept);
	entries.shrink_to_fit();
}

void
elf_table::link_outer() noexcept
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
	const char *const at = names.c_str() + e.name;
	constexpr std::size_t max = STACK9_NAME_MAX - 1;
	return {at, versions_ ? name_length(at, max) : strnlen(at, max)};
}

std::size_t
elf_table::memory() const noexcept
{
	return entries.capacity() * sizeof(entry) + names.capacity();
}

} // namespace stack9
