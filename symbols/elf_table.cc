// Reads the functions of one ELF image by libelf and sorts them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "elf_table.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>

#include <gelf.h>
#include <sys/stat.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "process/elf_parts.h"
#include "process/memory_want.h"

#include "symbol_section.h"

namespace stack9 {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

// Functions inside of functions, all of which end before an address: real ones
// are siblings, of which a few overlap.
constexpr int nested_max = 1 << 12;

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

const Elf_Data *
read_names(int fd, Elf *elf, std::size_t section, bool &beyond)
{
	GElf_Shdr sh;
	Elf_Scn *const s = elf_getscn(elf, section);
	if (s == nullptr || gelf_getshdr(s, &sh) == nullptr ||
	    sh.sh_type != SHT_STRTAB)
		return nullptr;
	const Elf_Data *const data = process::read_section(fd, s,
	    budgets::symbol_names, beyond);
	return data == nullptr || data->d_buf == nullptr ? nullptr : data;
}

// The part of a section at offset that the file can really have.
std::uint64_t
clamped(const bytes &file, std::uint64_t offset, std::uint64_t size) noexcept
{
	struct stat st;
	if (fstat(file.fd, &st) != 0)
		return 0;
	const auto all = static_cast<std::uint64_t>(st.st_size);
	return offset < all ? std::min(size, all - offset) : 0;
}

using table_entry = elf_table::entry;
constexpr unsigned int digit_bits = 11;

// Sorts by one digit, the lowest first, from one array to the other.
void
sort_by_digit(const table_entry *from, table_entry *to, std::size_t n,
    unsigned int shift)
{
	const auto digit = [shift](const table_entry &e) {
		return e.start >> shift & ((1u << digit_bits) - 1);
	};
	std::array<std::uint32_t, (1u << digit_bits) + 1> at{};
	for (std::size_t i = 0; i < n; i++)
		at[digit(from[i]) + 1]++;
	std::partial_sum(at.begin(), at.end(), at.begin());
	for (std::size_t i = 0; i < n; i++)
		to[at[digit(from[i])]++] = from[i];
}

// Sorts by start and keeps the order of equal ones; room is for as many.  It
// goes digit by digit.  Rejected: comparing.  It takes four times as long
// because its branches cannot be predicted.
void
sort_by_start(std::vector<table_entry> &entries, table_entry *room)
{
	std::uint64_t used = 0;
	for (const table_entry &e : entries)
		used |= e.start;
	const std::size_t n = entries.size();
	table_entry *from = entries.data(), *to = room;
	for (unsigned int shift = 0; shift < 64 && used >> shift != 0;
	    shift += digit_bits, std::swap(from, to))
		sort_by_digit(from, to, n, shift);
	if (from != entries.data())
		std::copy_n(from, n, entries.data());
}

} // namespace

// Takes a share of the memory for what the table will have.
bool
elf_table::take(std::uint64_t symbols, std::uint64_t of_names)
{
	if (share_.take(symbols * sizeof(entry) + of_names))
		return true;
	leave_out(budgets::left_out::symbol_tables);
	return false;
}

// Sorts the entries and returns room for as many bytes of names.  If the names
// need more room than the sort, one piece of memory serves both: to get fresh
// memory from the kernel takes longer than to sort.
char *
elf_table::sort(std::size_t of_names)
{
	const std::size_t of_sort = entries.size() * sizeof(entry);
	const auto make = [this](std::size_t size) {
		names = std::make_unique_for_overwrite<char[]>(size);
		return names.get();
	};
	char *const room = make(std::max(of_sort, of_names + 1));
	sort_by_start(entries, reinterpret_cast<entry *>(room));
	names_size = of_names;
	return of_names < of_sort ? make(of_names + 1) : room;
}

// Copies the whole string table.
elf_table::elf_table(int fd, Elf *elf)
{
	const process::memory_want want;
	GElf_Shdr sh;
	bool beyond = false;
	Elf_Scn *const s = find_symbols(elf, sh);
	Elf_Data *const data = s == nullptr ? nullptr :
	    process::read_section(fd, s, budgets::symbols, beyond);
	const Elf_Data *const text = data == nullptr ? nullptr :
	    read_names(fd, elf, sh.sh_link, beyond);
	if (beyond)
		leave_out(budgets::left_out::symbol_tables);
	want.check();
	if (text == nullptr)
		return;
	const std::size_t count = data->d_size / gelf_fsize(elf, ELF_T_SYM, 1,
	    EV_CURRENT);
	if (!take(count, text->d_size))
		return;
	whole_ = sh.sh_type == SHT_SYMTAB;
	entries.reserve(count);
	GElf_Sym sym;
	for (int i = 0; gelf_getsym(data, i, &sym) != nullptr; i++)
		add(sym);
	std::memcpy(sort(text->d_size), text->d_buf, text->d_size);
	finish();
}

// Does without libelf, because that would first read all symbols into fresh
// memory.  The kernel takes longer to provide that memory than all the rest
// takes.
elf_table::elf_table(const bytes &file, const symbol_section &t)
{
	constexpr std::size_t many = 1024;	// 24 KiB
	const auto room = std::make_unique_for_overwrite<ElfW(Sym)[]>(many);
	const std::size_t count = clamped(file, t.offset, t.size) /
	    sizeof(ElfW(Sym));
	const std::size_t of_names = clamped(file, t.names, t.names_size);
	if (!take(count, of_names))
		return;
	whole_ = t.whole;
	entries.reserve(count);
	t.each(file, {room.get(), many}, [this](const ElfW(Sym) &s) {
		add(s);
	});
	names_size = file.read(t.names, sort(of_names), of_names);
	finish();
}

// While symbols are collected, outer holds a symbol's rank.
template <class symbol> void
elf_table::add(const symbol &sym)
{
	function_symbol f;
	if (to_function(sym, f))
		entries.push_back({f.start, f.size, sym.st_name, f.rank});
}

void
elf_table::finish()
{
	names[names_size] = '\0';
	versions_ = std::memchr(names.get(), '@', names_size) != nullptr;
	keep_the_best();
	link_outer();
}

// Lengths of names are compared last, because most symbols differ before.
bool
elf_table::better(const entry &a, const entry &b) const noexcept
{
	function_symbol one{a.start, a.size, a.outer, 1};
	function_symbol other{b.start, b.size, b.outer, 1};
	if (!one.better_than(other) && !other.better_than(one)) {
		one.name_length = static_cast<std::uint32_t>(name(a).size());
		other.name_length = static_cast<std::uint32_t>(name(b).size());
	}
	return one.better_than(other);
}

void
elf_table::keep_the_best()
{
	std::size_t kept = 0;
	for (const entry &e : entries) {
		if (e.name >= names_size || names[e.name] == '\0')
			continue;
		if (kept == 0 || entries[kept - 1].start != e.start)
			entries[kept++] = e;
		else if (better(e, entries[kept - 1]))
			entries[kept - 1] = e;
	}
	// A few entries too many cost less than a copy of the others.
	entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(kept),
	    entries.end());
	if (kept < entries.capacity() / 8 * 7)
		entries.shrink_to_fit();
}

void
elf_table::link_outer() noexcept
{
	const auto ends_by = [this](std::uint32_t i, std::uint64_t vaddr) {
		return vaddr - entries[i].start >= entries[i].size;
	};
	std::uint32_t open = none;	// the innermost that is still open
	for (std::uint32_t i = 0; i < entries.size(); i++) {
		while (open != none && ends_by(open, entries[i].start))
			open = entries[open].outer;
		entries[i].outer = open;
		open = i;
	}
}

// The last entry that starts at or before vaddr, or none.  It halves without a
// branch: which half it is, nobody can predict.
std::uint32_t
elf_table::last_before(std::uint64_t vaddr) const noexcept
{
	const entry *from = entries.data();
	std::size_t n = entries.size();
	if (n == 0 || vaddr < from->start)
		return none;
	while (n > 1) {
		const std::size_t half = n / 2;
		from += from[half].start <= vaddr ? half : 0;
		n -= half;
	}
	return index(*from);
}

const elf_table::entry *
elf_table::find(std::uint64_t vaddr) const noexcept
{
	std::uint32_t i = last_before(vaddr);
	for (int steps = 0; i != none && vaddr != entries[i].start &&
	    vaddr - entries[i].start >= entries[i].size; steps++)
		i = steps == nested_max ? none : entries[i].outer;
	return i != none ? &entries[i] : nullptr;
}

std::string_view
elf_table::name(const entry &e) const noexcept
{
	const char *const at = names.get() + e.name;
	constexpr std::size_t max = UINT16_MAX;	// longer names are cut
	return {at, versions_ ? name_length(at, max) : strnlen(at, max)};
}

std::size_t
elf_table::memory() const noexcept
{
	return entries.capacity() * sizeof(entry) + names_size;
}

} // namespace stack9
