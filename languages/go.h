// What a Go program says of itself in .gopclntab, which it needs to run and so
// has when it is stripped: how far each function's frame goes, names, lines.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "unwind/cfi.h"

#include "process/file.h"

namespace stack9::process {

// vaddr is of the call, not behind it, as for rows everywhere.  Thread-safe;
// they read from the file.

// The row of a function's; no: it is no Go program, or has no such function.
// malformed: a function that changes stacks in a way that is not known; nothing
// should be guessed there.
// Where .eh_frame covers vaddr that has to be asked first: C in a Go program.
// .debug_frame has to be asked afterwards, for what Go writes there leads on
// past the outermost functions and through changes of stacks.
unwind::found go_row(file &, std::uint64_t vaddr, unwind::row &) noexcept;

// False: there is none, or not known.
// start is a p_vaddr.
bool go_name(file &, std::uint64_t vaddr, std::string &name,
    std::uint64_t &start, std::uint64_t &size) noexcept;

// Of the innermost inlined call, whose name is not told.
bool go_line(file &, std::uint64_t vaddr, std::string &path,
    unsigned int &line) noexcept;

} // namespace stack9::process
