// Asks the tables that the runtimes of languages keep in their programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "process/file.h"
#include "unwind/cfi.h"

namespace stack9::languages {

using process::file;

// vaddr is the address of the call, not the one after it, as for rows
// everywhere.  All are thread-safe and read from the file.

// Finds the row of a function.  no: no language knows the function.  malformed:
// a language does, and nothing should be guessed there.  .eh_frame has to be
// asked first, and .debug_frame afterwards.
unwind::found row_of(file &, std::uint64_t vaddr, unwind::row &) noexcept;

// Returns true if some language may know rows of this file.
bool have_rows(file &) noexcept;

// Finds a function's name.  False: no language knows it.  start is a p_vaddr.
bool name_of(file &, std::uint64_t vaddr, std::string &name,
    std::uint64_t &start, std::uint64_t &size) noexcept;

// Finds the line of the innermost inlined call, and the name of the function
// that it was inlined into.
bool line_of(file &, std::uint64_t vaddr, std::string &name,
    std::string &path, unsigned int &line) noexcept;

} // namespace stack9::languages
