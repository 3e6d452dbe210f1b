// Opens files whose server may not answer: NFS's, FUSE's.
//
// A process that waits for such a server cannot be killed, in most cases.  So a
// process of its own opens these files, and is abandoned if it does not come
// back in time.  The server is not asked again for a minute.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "way.h"

namespace stack9::process {

// Returns true if a file system has its files on this machine.
bool is_near(std::uint32_t major, std::uint32_t minor) noexcept;

// As open_here(); ETIMEDOUT: it was left out.
// server: a number of one's own, not 0, for that which may not answer.
int open_far(int dir, const way &, std::uint64_t server, unique_fd &to,
    struct stat &) noexcept;
// Opens a file here if the kernel knows the way, and that it leads to a near
// file.  Opens any other file by the other process.
int open_wherever(int dir, const way &, unique_fd &to, struct stat &) noexcept;

// Has the other process read memory of a process, by its open /proc/TID/mem, in
// which pages of the server's files may be missing.  0; EIO; ETIMEDOUT...
int touch_far(int memory, std::uint64_t from, std::uint64_t size,
    std::uint64_t server) noexcept;

} // namespace stack9::process
