// Remembers names of this process's functions by address, without lock or heap.
// A signal handler reads and writes it too.  A name holds as long as nothing
// was loaded or unloaded.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "core/seam/record.h"

namespace stack9 {

// Which code was loaded when an address was looked up; 0: nobody can know.
std::uint64_t code_stamp() noexcept;

// Called before the names of a stack are asked for.  A page whose first touch
// is a write costs one fault, and one that is read before costs two.
void expect_names() noexcept;

// 0; ENOENT: the address is known to have no name; EAGAIN: ask the tables.
int cached_name(std::uintptr_t pc, bool return_address, symbol_name &)
    noexcept;

// True if cached_name() has an answer.
bool has_cached_name(std::uintptr_t pc, bool return_address) noexcept;

// Keeps an answer that was found after stamp was taken: 0 with a name, or
// ENOENT.  A name of 320 bytes or more is not kept.
void cache_name(std::uint64_t stamp, std::uintptr_t pc, bool return_address,
    int answer, const symbol_name &) noexcept;

} // namespace stack9
