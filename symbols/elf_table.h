// The functions of one ELF image, sorted.  Knows no process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "image.h"

struct Elf;

namespace stack9 {

class elf_table {
public:
	struct entry {
		std::uint64_t	start;		// p_vaddr
		std::uint64_t	size;
		std::uint32_t	name;		// in the arena
		std::uint32_t	outer;		// nearest entry before that
						// reaches past start, or none
	};

	elf_table() = default;
	// From .symtab, else .dynsym.  May throw std::bad_alloc.
	explicit elf_table(Elf *);

	// The innermost that covers vaddr, or nullptr.
	const entry *find(std::uint64_t vaddr) const noexcept;
	std::string_view name(const entry &) const noexcept;
	std::size_t size() const noexcept { return entries.size(); }
	std::size_t memory() const noexcept;

private:
	std::vector<entry>	entries;	// by start, no two the same
	std::string		names;		// each ended by NUL

	void link_outer();
};

} // namespace stack9
