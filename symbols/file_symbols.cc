// Searches a file for its first functions and makes a table when more are asked
// for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "file_symbols.h"

#include <cstring>
#include <memory>
#include <utility>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "process/memory_want.h"
#include "process/written_over.h"

namespace stack9 {
namespace {

unique_elf
open_now(int fd)
{
	const process::memory_want want;
	unique_elf elf = open_elf(fd);
	want.check();
	return elf;
}

} // namespace

// A file of another class gets its table at once.
void
file_symbols::open(int fd) noexcept
{
	fd_ = fd;
	if (!where_.find(bytes{fd})) {
		looks_ = looks_max;
		return;
	}
	if (process::may_read(fd, where_.offset, where_.size,
	    budgets::symbols) && process::may_read(fd, where_.names,
	    where_.names_size, budgets::symbol_names)) {
		whole_ = where_.whole;
		return;
	}
	leave_out(budgets::left_out::symbol_tables);
	made_ = true;
}

void
file_symbols::open(opened_elf f) noexcept
{
	if (!f) {
		made_ = true;
		return;
	}
	opened_ = std::move(f);
	open(opened_.fd.get());
}

void
file_symbols::open(Elf *image)
{
	table_ = elf_table(-1, image);
	whole_ = table_.whole();
	made_ = true;
}

// This is asked after each reading.
bool
file_symbols::is_of_another_file() const noexcept
{
	return own_ != nullptr && process::is_written_over(*own_);
}

bool
file_symbols::look(std::uint64_t vaddr, symbol_name &sym) const
{
	constexpr std::size_t many = 2048;	// 48 KiB
	const auto room = std::make_unique_for_overwrite<ElfW(Sym)[]>(many);
	if (elf_scan(bytes{fd_}, where_, {room.get(), many}, vaddr + 1, true,
	    sym) != 0 || is_of_another_file())
		return false;
	sym.offset--;
	return true;
}

// Reads a file of another machine by a handle that is closed again: the file's
// own handle would keep all that was read.
void
file_symbols::make_table()
{
	if (where_.size != 0)
		table_ = elf_table(bytes{fd_}, where_);
	else if (const unique_elf elf = open_now(fd_))
		table_ = elf_table(fd_, elf.get());
	if (is_of_another_file())
		table_ = elf_table();
	whole_ = table_.whole();
	opened_ = opened_elf();
	made_.store(true, std::memory_order_release);
}

file_symbols::found
file_symbols::find(std::uint64_t vaddr, std::uint32_t &index,
    symbol_name &sym)
{
	if (!made_.load(std::memory_order_acquire)) {
		const std::lock_guard hold(lock_);
		if (!made_ && looks_ < looks_max) {
			looks_++;
			if (!look(vaddr, sym))
				return found::no;
			// A longer name was cut; the table has it whole.
			if (strlen(sym.name) < name_max - 1)
				return found::in_file;
		}
		if (!made_)
			make_table();
	}
	const elf_table::entry *const e = table_.find(vaddr);
	if (e == nullptr)
		return found::no;
	index = table_.index(*e);
	return found::in_table;
}

} // namespace stack9
