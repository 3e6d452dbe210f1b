// Tries the kernel with the smallest programs and maps.  libbpf has calls for
// this, but they ask the kernel for its features first, and what they learn
// while memory or descriptors are short they believe for good.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include <linux/bpf.h>

namespace stack9::bpf {

// Loads a program on a raw tracepoint, and closes it.  0, or an errno.
int try_to_load(std::span<const bpf_insn>) noexcept;

// Makes an array of one element, and closes it.
int try_to_make_map() noexcept;

} // namespace stack9::bpf
