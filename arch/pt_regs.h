// Selects the layout of struct pt_regs for the CPU that this is built for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#if defined(__x86_64__)
#include "arch/x86_64/pt_regs.h"
#elif defined(__aarch64__)
#include "arch/aarch64/pt_regs.h"
#else
#error "arch/ has no folder for this CPU"
#endif
