// Makes faults of a program: of its stack, its heap, its names, and those that
// it recovers from.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

// Writes a line to standard error.
void say(const char *);

extern "C" int read_through(const volatile int *);
// Faults with 0x5100 and the number of the register in each that it may change.
void crash_with_registers();
extern "C" int recurse(int);
// The allocator finds that its own data has been written over.
extern "C" void broken_heap();

// A handler of SIGSEGV that says how it was called, and goes on after the fault
// of crash_and_recover().
void install_previous(int flags);
void crash_and_recover();
// Names of this module cannot be found without a fault.
void break_names(const std::string &module);
