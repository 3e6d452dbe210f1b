// The CPU that this is built for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#if defined(__x86_64__)
#include "arch/x86_64/cpu.h"
#elif defined(__aarch64__)
#include "arch/aarch64/cpu.h"
#else
#error "unwind/ does not know this CPU"
#endif
