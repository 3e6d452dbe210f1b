// Includes what the unwinder has to know of the CPU that stack9 is built for,
// and of the system that saves its registers.  Each CPU has a folder here.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#if defined(__x86_64__)
#include "arch/x86_64/cpu.h"
#elif defined(__aarch64__)
#include "arch/aarch64/cpu.h"
#elif defined(__riscv) && __riscv_xlen == 64
#include "arch/riscv64/cpu.h"
#else
#error "stack9 does not know this CPU"
#endif

#include "os/saved_registers.h"

namespace stack9::unwind {

using stack9::register_of;
using stack9::signal_slot;
using stack9::signal_trampoline;

// Places in the frame of a signal's handler, from sp.
inline constexpr std::size_t signal_pc = signal_slot(register_pc);
inline constexpr std::size_t signal_sp = signal_slot(register_sp);
inline constexpr std::size_t signal_fp = signal_slot(register_fp);

} // namespace stack9::unwind
