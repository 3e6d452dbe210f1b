// The CPU's take_registers().
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#if defined(__x86_64__)
#include "arch/x86_64/here.h"
#elif defined(__aarch64__)
#include "arch/aarch64/here.h"
#endif
