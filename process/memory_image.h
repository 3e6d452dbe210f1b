// Makes ELF files of what a process has mapped, where the files themselves
// cannot be opened: they are on a FUSE mount of another user, or have no name
// any more and their reader lacks rights.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "mapping.h"

struct stack9_space;

namespace stack9::process {

// Copies memory of the process, all bytes or none.
using memory_reader = std::function<bool(std::uintptr_t from, void *to,
    std::size_t size)>;

// Returns true if a mapping lacks a file that is made so.
bool lacks_image(const mapping &) noexcept;

// Gives files to the mappings that lack them.  A file has its headers, its
// notes and its .eh_frame, and none of its other bytes.  All mappings of the
// process have to be there.  Throws std::bad_alloc.
void add_images(const std::vector<mapping *> &, const memory_reader &);

// Does so with those of a space.  The space gets a new snapshot.
void make_images(stack9_space &, const memory_reader &);

} // namespace stack9::process
