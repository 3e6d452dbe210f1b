// Declares how a core is opened that may be compressed, or come from a pipe.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>

#include "os/unique_fd.h"

namespace stack9::cores {

// Opens a regular file that has the core as it was written.  path NULL: of fd,
// from where it is.  Returns as stack9_core_open().
int open_plain_core(const char *path, int fd, unique_fd &to);

// The size of a file; 0: it is not known.
std::uint64_t size_of(const unique_fd &) noexcept;

// Gives the next bytes of a compressed file, at most size of them: their
// number, 0 at its end, or -1.
using byte_source = std::function<ssize_t(void *to, std::size_t size)>;
// Takes bytes; false: they cannot be kept, and there is an errno.
using byte_sink = std::function<bool(const char *, std::size_t)>;

// Unpack a whole file.  0; EOPNOTSUPP: the library is missing; EIO: the file is
// damaged, or its end is missing, but what was there was given; or errno of the
// sink.
int unpack_zstd(const byte_source &, const byte_sink &);
int unpack_lz4(const byte_source &, const byte_sink &);

} // namespace stack9::cores
