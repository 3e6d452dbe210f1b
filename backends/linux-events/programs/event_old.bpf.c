/*
 * Builds the programs on events for old kernels.  Before 5.11 a kernel gives no
 * pointer to the current thread that its verifier knows, and before 5.15 it
 * does not give the thread's registers.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#define	S9_INDIRECT
#include "event.bpf.c"
