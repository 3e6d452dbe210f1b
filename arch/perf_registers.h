// Includes what puts the registers of a sample of perf's into struct pt_regs,
// for the CPU.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#if defined(__x86_64__)
#include "arch/x86_64/perf_registers.h"
#elif defined(__aarch64__)
#include "arch/aarch64/perf_registers.h"
#endif
