// Finds rows, names and lines of Go programs in .gopclntab.  A Go program needs
// this table to run, so a stripped one has it, too.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "unwind/cfi.h"

#include "process/file.h"

namespace stack9::languages {

using process::file;

// vaddr is the address of the call, not the one after it, as for rows
// everywhere.  All are thread-safe and read from the file.

// Finds the row of a function.  no: the file is not a Go program for x86-64, or
// has no such function.  malformed: the function changes stacks in a way that
// is not known, and nothing should be guessed there; or there is no memory: the
// next time there may be.  .eh_frame has to be asked first, because it covers
// the C code in a Go program.  .debug_frame has to be asked afterwards, because
// the rows that Go writes there lead on past the outermost functions and
// through changes of stacks.
unwind::found go_row(file &, std::uint64_t vaddr, unwind::row &) noexcept;

// Whether go_row() may find rows in this file.
bool go_has_rows(file &) noexcept;

// Finds a function's name.  False: it has none that is known.  start is a
// p_vaddr.
bool go_name(file &, std::uint64_t vaddr, std::string &name,
    std::uint64_t &start, std::uint64_t &size) noexcept;

// Finds the line of the innermost inlined call.  Its name is not given.
bool go_line(file &, std::uint64_t vaddr, std::string &path,
    unsigned int &line) noexcept;

} // namespace stack9::languages
