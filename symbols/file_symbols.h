// Finds the function symbols of one ELF file.  The first lookups search the
// file, some 40 us each.  A caller that asks more often gets a table.  To make
// it takes as long as six or eight of these lookups; then it takes 0.1 us a
// lookup.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "process/file.h"

#include "elf_table.h"
#include "opened_elf.h"
#include "symbol_section.h"

namespace stack9 {

class file_symbols {
public:
	// lock: the file's; it is held while the file is read.  own: the file,
	// if the symbols are in itself and not in another one.
	explicit file_symbols(std::mutex &lock, const process::file *own =
	    nullptr) noexcept : own_(own), lock_(lock) {}

	// To be called once, before any lookup: with a file that stays open,
	// with one that is closed when it has been read or with none, or with
	// an image.
	void open(int fd) noexcept;
	void open(opened_elf) noexcept;
	void open(Elf *image);

	enum class found { no, in_table, in_file };

	// in_table: the function is at index, for good.  in_file: sym has its
	// name and size, and as offset that of vaddr.  Thread-safe; throws
	// std::bad_alloc.
	found find(std::uint64_t vaddr, std::uint32_t &index,
	    symbol_name &sym);

	// True if the symbols are those of .symtab: it has static functions
	// too.  To be called after find().
	bool whole() const noexcept { return whole_; }
	// To be called after found::in_table.
	const elf_table &table() const noexcept { return table_; }

private:
	// The table takes as long as this many lookups.
	static constexpr unsigned int looks_max = 6;

	bool look(std::uint64_t vaddr, symbol_name &) const;
	void make_table();
	bool is_of_another_file() const noexcept;

	const process::file	*const own_;
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
