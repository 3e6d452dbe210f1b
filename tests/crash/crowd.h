// Starts a crashing program's threads: some sleep, some run, one crashes, too.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <initializer_list>

// Opens the pipe that those that sleep read from.
bool begin_crowd();

// A sleeper and a runner, and one of each that blocks all signals.  When it
// returns, the runners have begun, and the sleepers sleep.
void start_threads();

// A thread that crashes now, as the calling one is to.
void start_second_crash();

// A thread whose stack overflows.
void start_overflow();

// Installs a filter for all threads, under which these system calls are not
// permitted.
void forbid(std::initializer_list<int> calls);
