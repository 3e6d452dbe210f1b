// Reads symbol tables for the names of a few symbols.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "symbols.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include <gelf.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "process/each_section.h"

namespace stack9::languages {
namespace {

using process::file;

// The place of a table and of its names in the file.
struct table {
	std::uint64_t	at = 0, size = 0, names = 0, names_size = 0;
};

// Finds a table of this type.  False: there is none that may be read.
bool
find_table(file &f, unsigned int type, table &to)
{
	const std::lock_guard locked(f.lock());
	if (!f.is_elf() || !f.is_64())
		return false;
	const auto take = [&](Elf_Scn *, const GElf_Shdr &h) {
		GElf_Shdr n;
		Elf_Scn *const names = h.sh_type != type ? nullptr :
		    elf_getscn(f.elf(), h.sh_link);
		if (names == nullptr || gelf_getshdr(names, &n) == nullptr)
			return false;
		to = {h.sh_offset, h.sh_size, n.sh_offset, n.sh_size};
		if (process::may_read(f.fd(), to.at, to.size,
		    budgets::symbols) && process::may_read(f.fd(), to.names,
		    to.names_size, budgets::symbol_names))
			return true;
		budgets::leave_out(budgets::left_out::symbol_tables);
		return false;
	};
	return process::find_section(f.elf(), take);
}

std::uint32_t
gnu_hash(std::string_view name) noexcept
{
	std::uint32_t h = 5381;
	for (const char c : name)
		h = h * 33 + static_cast<unsigned char>(c);
	return h;
}

// The offset of the section of that type; 0: there is none.
std::uint64_t
offset_of(file &f, unsigned int type)
{
	std::uint64_t at = 0;
	const std::lock_guard locked(f.lock());
	if (f.is_elf() && f.is_64())
		process::find_section(f.elf(), [&](Elf_Scn *,
		    const GElf_Shdr &h) {
			at = h.sh_type == type ? h.sh_offset : 0;
			return at != 0;
		});
	return at;
}

// False: the filter of the file's hash table says that none of the names is in
// .dynsym.  So a small filter is read, or one word for each name, and not the
// whole table.
bool
may_export(file &f, std::span<const std::string_view> names)
{
	struct {
		std::uint32_t	buckets, first, words, shift;
	} head;
	const std::uint64_t at = offset_of(f, SHT_GNU_HASH);
	if (at == 0 || !f.read(at, &head, sizeof head) ||
	    !std::has_single_bit(head.words) || head.shift > 31)
		return true;
	std::array<std::uint64_t, 32> filter;
	const std::uint64_t begin = at + sizeof head;
	const bool is_small = head.words <= filter.size() &&
	    f.read(begin, filter.data(), head.words * sizeof filter[0]);
	return std::any_of(names.begin(), names.end(),
	    [&](std::string_view name) {
		const std::uint32_t h = gnu_hash(name),
		    n = h / 64 & (head.words - 1);
		std::uint64_t word = is_small ? filter[n] : 0;
		return (!is_small && !f.read(begin + sizeof word * n, &word,
		    sizeof word)) ||
		    (word >> h % 64 & word >> (h >> head.shift) % 64 & 1) != 0;
	});
}

class wanted_names {
public:
	wanted_names(std::span<const std::string_view> names,
	    found_symbol *to) noexcept : names_(names), to_(to)
	{
		for (const std::string_view name : names)
			begins_[static_cast<unsigned char>(name[0])] = true;
	}

	// Nearly all symbols are refused by their first letter.
	void
	offer(const char *name, std::size_t room, const Elf64_Sym &s) noexcept
	{
		if (!begins_[static_cast<unsigned char>(name[0])])
			return;
		for (std::size_t i = 0; i < names_.size(); i++)
			if (is_name(names_[i], name, room) &&
			    to_[i].vaddr == 0)
				to_[i] = {s.st_value, s.st_size};
	}
	bool
	has_all() const noexcept
	{
		return std::all_of(to_, to_ + names_.size(),
		    [](const found_symbol &s) { return s.vaddr != 0; });
	}

private:
	static bool
	is_name(std::string_view wanted, const char *name, std::size_t room)
	    noexcept
	{
		return wanted.size() < room && wanted[0] == name[0] &&
		    std::memcmp(wanted.data(), name, wanted.size()) == 0 &&
		    (name[wanted.size()] == '\0' || name[wanted.size()] == '@');
	}

	const std::span<const std::string_view> names_;
	found_symbol	*const to_;
	std::array<bool, 256> begins_{};
};

void
search(const file &f, const table &t, wanted_names &wanted)
{
	constexpr std::size_t many = 1024;
	const std::size_t size = t.names_size;
	const auto names = std::make_unique_for_overwrite<char[]>(size);
	std::vector<Elf64_Sym> part(many);
	if (size == 0 || !f.read(t.names, names.get(), size))
		return;
	for (std::uint64_t i = 0, n = t.size / sizeof part[0]; i < n;) {
		const std::size_t now = std::min<std::uint64_t>(many, n - i);
		if (!f.read(t.at + i * sizeof part[0], part.data(),
		    now * sizeof part[0]))
			return;
		for (std::size_t j = 0; j < now; j++)
			if (part[j].st_name < size &&
			    part[j].st_shndx != SHN_UNDEF &&
			    ELF64_ST_TYPE(part[j].st_info) != STT_TLS)
				wanted.offer(&names[part[j].st_name],
				    size - part[j].st_name, part[j]);
		i += now;
	}
}

} // namespace

void
find_symbols(file &f, std::span<const std::string_view> names,
    found_symbol *to)
{
	wanted_names wanted(names, to);
	for (const unsigned int type : {SHT_DYNSYM, SHT_SYMTAB}) {
		table t;
		if (!wanted.has_all() &&
		    (type != SHT_DYNSYM || may_export(f, names)) &&
		    find_table(f, type, t))
			search(f, t, wanted);
	}
}

} // namespace stack9::languages
