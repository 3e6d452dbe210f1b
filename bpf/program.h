// Running a loaded program.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "object.h"

namespace stack9::bpf {

// Run o's program with a context.  cpu >= 0: there, by an interrupt.
// 0 and what it returned in *result, or a positive errno; EBADF: it is not
// loaded, or somebody closed its descriptor.  errno is kept.
// Async-signal-safe.
int try_run(object &o, void *context, std::uint32_t size, int cpu = -1,
    std::uint32_t *result = nullptr) noexcept;

// A program that is no object's; cpu and result as there.  errno may change.
int run_program(int program, void *context, std::uint32_t size, int cpu = -1,
    std::uint32_t *result = nullptr) noexcept;

// try_run() with the object's second program.
int try_run_second(object &o, void *context, std::uint32_t size) noexcept;

// try_run(), but loads it (again) on EBADF.  Not async-signal-safe.
int run(object &o, void *context, std::uint32_t size, int cpu = -1,
    std::uint32_t *result = nullptr) noexcept;

} // namespace stack9::bpf
