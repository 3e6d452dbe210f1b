// Includes how Linux lays out a thread's registers on the CPU that stack9 is
// built for: struct pt_regs, and what ptrace(2) gives.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#if defined(__x86_64__)
#include "arch/x86_64/kernel_registers.h"
#elif defined(__aarch64__)
#include "arch/aarch64/kernel_registers.h"
#else
#error "stack9 does not know this CPU"
#endif
