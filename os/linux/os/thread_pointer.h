// Finds the thread pointer of a thread of another process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <sys/types.h>

namespace stack9 {

// The address that the ABI has for the thread itself, pthread_self(): fs on
// x86-64.  0: it is not known, as for a thread of a program without a C
// library, or on another CPU.  It takes two system calls.
std::uint64_t thread_pointer(pid_t tid) noexcept;

} // namespace stack9
