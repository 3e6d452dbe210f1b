// Brings pages of files that a process has mapped, and not touched yet, into
// its memory, where process_memory::read_present() finds them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace stack9::process {

// task: /proc/TID of a thread of the process.  It reads 64 KiB from there on,
// or up to the end of the mapping.  False: the mapping is not a file's, or the
// program may write there, or the file's server did not answer in time.
bool bring_in(int task, std::uintptr_t from, std::size_t size) noexcept;

} // namespace stack9::process
