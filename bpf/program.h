// Runs loaded programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "object.h"

namespace stack9::bpf {

// Runs o's program with a context.  cpu >= 0: the program runs on that CPU, in
// an interrupt.  Returns 0, with the program's result in *result, or a positive
// errno.  EBADF: the program is not loaded, or somebody closed its descriptor.
// errno is kept.  Async-signal-safe.
int try_run(object &o, void *context, std::uint32_t size, int cpu = -1,
    std::uint32_t *result = nullptr) noexcept;

// Runs a program that belongs to no object; cpu and result as for try_run().
// errno may change.
int run_program(int program, void *context, std::uint32_t size, int cpu = -1,
    std::uint32_t *result = nullptr) noexcept;

// Runs the object's second program as try_run() does.
int try_run_second(object &o, void *context, std::uint32_t size) noexcept;

// Runs as try_run() does, and loads the object (again) on EBADF.  Not
// async-signal-safe.
int run(object &o, void *context, std::uint32_t size, int cpu = -1,
    std::uint32_t *result = nullptr) noexcept;

// 0: the kernel can run o's program on a CPU, and works remembers that.
// EINVAL: it does not know the flag.  Another errno: this is not known just
// now.
int probe_on_cpu(object &o, void *context, std::uint32_t size,
    std::atomic<bool> &works) noexcept;

} // namespace stack9::bpf
