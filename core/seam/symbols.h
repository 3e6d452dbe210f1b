// The seam to symbols/: addresses to names.  Knows no capture.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <stack9.h>

namespace stack9 {

// All: 0; ENOENT: nothing covers it; EPERM: hidden from this caller.  On
// failure sym is untouched.  return_address: look up pc - 1, offset from pc.

// /proc/kallsyms, modules and BPF programs too.  The first call reads it (40
// to 60 ms) and the table is kept; a pc in no symbol reads it again at most
// once a second, for modules loaded since.  Thread-safe; allocates.
int kallsyms_find(std::uintptr_t pc, bool return_address, stack9_symbol &sym)
    noexcept;

// The same from the table already read: EAGAIN if there is none.  No lock, no
// heap; async-signal-safe.
int kallsyms_find_nowait(std::uintptr_t pc, bool return_address,
    stack9_symbol &sym) noexcept;
bool kallsyms_loaded() noexcept;

// Whether the file would tell this caller anything, by its first 64 KiB.
int kallsyms_readable() noexcept;

// This process's own functions, static ones too, from ELF .symtab, .dynsym
// where that is stripped, and the vdso.  A symbol's size is checked: an
// address past its end is ENOENT, except the address right behind it when
// nothing starts there (a call in last position).  Thread-safe; allocates.
int elf_find(std::uintptr_t pc, bool return_address, stack9_symbol &sym)
    noexcept;

// The same without lock or heap, from the file by pread(2) into at most 2 KiB
// of stack; async-signal-safe; up to 1 ms for a large program.  errno kept.
int elf_find_nowait(std::uintptr_t pc, bool return_address,
    stack9_symbol &sym) noexcept;

// A function of another process, or of this one, by the file that it was mapped
// from.  As stack9_space_name().  Thread-safe; allocates.
int space_find(stack9_space &, std::uintptr_t pc, bool return_address,
    stack9_symbol &sym) noexcept;

// The same if this thread has just found it: 30 ns, no cancellation point.
bool space_find_again(stack9_space &, std::uintptr_t pc, bool return_address,
    stack9_symbol &sym) noexcept;

// As stack9_space_lines().
int space_lines(stack9_space &, std::uintptr_t pc, unsigned int flags,
    stack9_line_fn *, void *arg) noexcept;

// As stack9_demangle().
int demangle(const char *name, char *text, std::size_t size) noexcept;

} // namespace stack9
