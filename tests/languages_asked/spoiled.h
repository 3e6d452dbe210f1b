// Damages a runtime's memory while its program sleeps, and has it looked at.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "asked.h"

// Overwrites, again and again, words of the program's memory that hold
// addresses of it, with others: small numbers, wild pointers, addresses of the
// same memory. Each reading has to end in bounded time, and the native stack
// has to stay; some readings have to find other functions than before, or
// nothing was spoiled.  The memory is put back after each one.  Returns how
// many readings lacked functions and had none flagged as guessed.
int spoil(const asked &, const char *language, int times);
