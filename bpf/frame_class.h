// What kind of frame a kernel return address is: where the kernel was entered
// decides whether a stack is whole and whose it is.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace stack9::bpf {

enum class frame_class : std::uint8_t {
	plain,
	entry,		// of the thread itself: system call, fault, birth
	interrupt,	// of an interrupt, over the thread or over user mode
	tracing,	// between an event and the program that looks
	unknown,	// kernel names are hidden from this process
};

// By name, remembered by address: 1 us the first time, then 5 ns.
// Thread-safe.
frame_class classify(std::uintptr_t pc) noexcept;

} // namespace stack9::bpf
