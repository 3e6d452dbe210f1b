// The function symbols of one ELF file.  The first that are asked for are
// looked for in the file, some 40 us each; who asks for more gets a table, as
// long in the making as six or eight of these, and 0.1 us a look.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "elf_nowait.h"
#include "elf_table.h"
#include "opened_elf.h"

namespace stack9 {

class file_symbols {
public:
	// lock: of the file, to be held while it is read.
	explicit file_symbols(std::mutex &lock) noexcept : lock_(lock) {}

	// Before anything is asked for, once.  A file that stays open; one that
	// is closed when it has been read, or none; an image.
	void open(int fd) noexcept;
	void open(opened_elf) noexcept;
	void open(Elf *image);

	enum class found { no, in_table, in_file };

	// in_table: at index, for ever.  in_file: sym's name and size, and its
	// offset, that of vaddr.  Thread-safe; throws std::bad_alloc.
	found find(std::uint64_t vaddr, std::uint32_t &index,
	    stack9_symbol &sym);

	// From .symtab: static functions too.  After find().
	bool whole() const noexcept { return whole_; }
	// After found::in_table.
	const elf_table &table() const noexcept { return table_; }

private:
	// What these take together, the table takes.
	static constexpr unsigned int looks_max = 6;

	bool look(std::uint64_t vaddr, stack9_symbol &) const;
	void make_table();

	std::mutex		&lock_;		// of the rest until made_
	int			fd_ = -1;
	opened_elf		opened_;	// or not
	symbol_section		where_;
	unsigned int		looks_ = 0;
	std::atomic<bool>	whole_{false};
	elf_table		table_;
	std::atomic<bool>	made_{false};
};

} // namespace stack9
