/*
 * Builds async.bpf.c for kernels that have the names without _impl.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#define	S9_PLAIN_NAMES
#include "async.bpf.c"
