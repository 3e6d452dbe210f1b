// Sorts the functions of one ELF image by address and looks them up.  It knows
// no process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "budgets/kept.h"

#include "image.h"

struct Elf;

namespace stack9 {

struct symbol_section;

class elf_table {
public:
	struct entry {
		std::uint64_t	start;		// p_vaddr
		std::uint64_t	size;
		std::uint32_t	name;		// in names
		std::uint32_t	outer;		// nearest entry before that
						// reaches past start, or none
	};

	elf_table() = default;
	// Reads .symtab, or .dynsym if there is none, of either class.  A file
	// of this machine's class takes half the time.  fd is the handle's
	// descriptor, or -1.  A table that is beyond its budget is empty.  May
	// throw std::bad_alloc.
	elf_table(int fd, Elf *);
	elf_table(const bytes &file, const symbol_section &);

	// True if the symbols are those of .symtab: it has static functions
	// too.
	bool whole() const noexcept { return whole_; }

	// The innermost function that covers vaddr, or nullptr.
	const entry *find(std::uint64_t vaddr) const noexcept;
	// The name ends at a NUL, or at the '@' before a version.
	std::string_view name(const entry &) const noexcept;
	const entry &at(std::uint32_t i) const noexcept { return entries[i]; }
	std::uint32_t
	index(const entry &e) const noexcept
	{
		return static_cast<std::uint32_t>(&e - entries.data());
	}
	std::size_t size() const noexcept { return entries.size(); }
	std::size_t memory() const noexcept;

private:
	bool take(std::uint64_t symbols, std::uint64_t of_names);
	std::vector<entry>	entries;	// by start, no two the same
	std::unique_ptr<char[]>	names;		// the whole string table and a
						// NUL: not a copy of each name
	std::size_t		names_size = 0;	// without that NUL
	bool			whole_ = false;
	bool			versions_ = false;	// names has some
	budgets::share		share_;

	template <class symbol> void add(const symbol &);
	char *sort(std::size_t of_names);
	void finish();
	bool better(const entry &, const entry &) const noexcept;
	void keep_the_best();
	void link_outer() noexcept;
	std::uint32_t last_before(std::uint64_t vaddr) const noexcept;
};

// Reads the functions of a loaded module from its debug file.  The table stays
// empty if there is no debug file.  False: the module's own file could not be
// opened, perhaps for want of a descriptor.  May throw std::bad_alloc.
bool read_debug_table(const module_image &, elf_table &);

} // namespace stack9
