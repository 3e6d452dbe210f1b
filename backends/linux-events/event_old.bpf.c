/*
 * The same for kernels that give no pointer to the current thread that the
 * verifier would know (before 5.11), nor its registers (5.15).
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#define	S9_INDIRECT
#include "event.bpf.c"
