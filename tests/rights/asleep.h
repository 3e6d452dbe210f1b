// Waits for a process to sleep.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

// proc: the directory /proc, as it was before anything was hidden.
void wait_until_asleep(int proc, pid_t);
