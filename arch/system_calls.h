// Includes what a filter of system calls has to know of the CPU that stack9 is
// built for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#if defined(__x86_64__)
#include "arch/x86_64/system_calls.h"
#elif defined(__aarch64__)
#include "arch/aarch64/system_calls.h"
#elif defined(__riscv) && __riscv_xlen == 64
#include "arch/riscv64/system_calls.h"
#else
#error "stack9 does not know this CPU"
#endif
