/*
 * Builds one.bpf.c for a caller in a pid namespace of its own.  It is another
 * object, because a kernel that lacks the function it calls refuses the whole
 * object.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#define	S9_VPID
#include "one.bpf.c"
