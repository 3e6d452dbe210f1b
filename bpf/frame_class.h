// Classifies kernel return addresses.  The frame at which the kernel was
// entered decides whether a stack is whole and whose stack it is.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace stack9::bpf {

enum class frame_class : std::uint8_t {
	plain,
	entry,		// of the thread itself: system call, fault, birth
	interrupt,	// of an interrupt, over the thread or over user mode
	tracing,	// between an event and the program that samples
	unknown,	// kernel names are hidden from this process
};

// The class by name, cached by address: 1 us the first time, then 5 ns.
// Thread-safe.
frame_class classify(std::uintptr_t pc) noexcept;

// Returns true if pc is where a thread begins that has never run: the first
// instruction of ret_from_fork, and no return address.
bool is_birth(std::uintptr_t pc) noexcept;

} // namespace stack9::bpf
