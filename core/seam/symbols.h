// Declares what the core needs of symbols/: names and lines of addresses.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "record.h"
#include "space.h"

namespace stack9 {

// All functions return 0; ENOENT if nothing covers the address; or EPERM if the
// address is hidden from this caller.  On failure sym is untouched.  With
// return_address the functions look up pc - 1, and the offset is from pc.

// Finds a kernel symbol in /proc/kallsyms.  Modules and BPF programs are there
// too.  The first call reads the file (40 to 60 ms) and keeps the table.  A pc
// in no symbol has the file read again, at most once a second, because modules
// may have been loaded since.  Thread-safe; allocates.
int kallsyms_find(std::uintptr_t pc, bool return_address, symbol_name &sym)
    noexcept;

// The same from the table that was read before; EAGAIN if there is none.  Uses
// neither lock nor heap; async-signal-safe.
int kallsyms_find_nowait(std::uintptr_t pc, bool return_address,
    symbol_name &sym) noexcept;
bool kallsyms_loaded() noexcept;

// Says by the first 64 KiB whether the file shows this caller any address.
int kallsyms_readable() noexcept;

// Finds a function of this process, static ones too, in ELF .symtab, or in
// .dynsym if the file is stripped, and in the vdso.  A symbol's size is
// checked: an address past its end is ENOENT, except the address right after
// it when nothing starts there (a call in last position).  Thread-safe;
// allocates.
int elf_find(std::uintptr_t pc, bool return_address, symbol_name &sym)
    noexcept;

// The same without lock or heap: it reads the file by pread(2) into at most
// 2 KiB of stack.  Async-signal-safe; takes up to 1 ms for a large program;
// errno is kept.
int elf_find_nowait(std::uintptr_t pc, bool return_address,
    symbol_name &sym) noexcept;

// Finds the names of these addresses, 32 at most, at once and keeps them for
// elf_find_nowait(): a file is opened and read once for six of them.  Kernel
// addresses are passed over.  As safe, with another KiB of stack.
void elf_learn_nowait(std::span<const std::uintptr_t> pcs,
    bool return_address) noexcept;

// Finds a function of another process, or of this one, in the file that was
// mapped there, as stack9_space_name().  Thread-safe; allocates.
int space_find(stack9_space &, std::uintptr_t pc, bool return_address,
    symbol_name &sym) noexcept;

// The same for a name of any length.
int space_function(stack9_space &, std::uintptr_t pc, bool return_address,
    std::string &name, std::uintptr_t &offset, std::uintptr_t &size);

// Finds the variable of another process that holds an address, the distance of
// the address from its start, and its size.  file is as in /proc/PID/maps.
// Thread-safe; allocates; reads the whole table of symbols.
int space_variable(stack9_space &, std::uintptr_t address, std::string &name,
    std::string &file, std::uintptr_t &offset, std::uintptr_t &size);

struct placed_function {
	std::string_view name;	// valid as long as the buffer, and as the
				// space has snapshot lasts_in; empty: none is
				// known
	bool		 name_ends;	// by a NUL
	std::uintptr_t	 offset, size;
	std::uint64_t	 lasts_in;	// space_number(); 0: ask again, as for
				// names of a JIT, because they change
	bool		 mapped;	// module is set
	mapped_module	 module;	// of the instruction
};

// As space_function() and space_module() together, but quicker.  The name is
// copied to the buffer only where it must be.  Throws std::bad_alloc.
void space_place(stack9_space &, std::uintptr_t pc, bool return_address,
    std::string &buffer, placed_function &);

// The same by both calls, one after the other.
inline void
place_by_parts(stack9_space &space, std::uintptr_t pc, bool return_address,
    std::string &buffer, placed_function &f)
{
	if (space_function(space, pc, return_address, buffer, f.offset,
	    f.size) != 0) {
		buffer.clear();
		f.offset = f.size = 0;
	}
	f.name = buffer;
	f.name_ends = true;
	f.lasts_in = 0;
	f.mapped = space_module(space, pc - return_address, f.module) == 0;
}

// Returns true if a handler may return to the instruction.  That is the first
// one of a short function that was not called from there: the byte before it
// belongs to another function, or to none.  Go's handlers make functions of its
// runtime appear called.  A call that never returns may end a function, too, so
// the rule of the instruction has to decide.
inline bool
may_end_signal(std::string_view name, std::uint64_t offset,
    std::uint64_t size, bool exact) noexcept
{
	constexpr std::uint64_t longest = 32;
	return offset >= size || (exact && size <= longest) ||
	    name.starts_with("runtime.");
}

// As stack9_space_lines().
int space_lines(stack9_space &, std::uintptr_t pc, unsigned int flags,
    source_line_fn *, void *arg) noexcept;

// As stack9_demangle().
int demangle(const char *name, char *text, std::size_t size) noexcept;

} // namespace stack9
