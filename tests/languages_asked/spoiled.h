// Damages a runtime's memory while its program sleeps, and has it looked at.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "asked.h"

// Times and again overwrites words that the look before has read, where the
// program may write, with others: small numbers, wild pointers, addresses of
// the same memory.  Each look has to end in bounded time, and the native stack
// has to stay; a few looks have to find other functions than before, or nothing
// was spoiled.  The memory is put back after each look.
void spoil(const asked &, const char *language, int times);
