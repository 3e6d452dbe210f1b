/*
 * Declares what the program "threads" and its reader share.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_THREADS_RECORD_H
#define STACK9_THREADS_RECORD_H

#include "bpf/state_record.h"

/* A process with more threads is passed over by a task iterator. */
#define	S9_MOST_THREADS	16384

/* Context of the program, in and out. */
struct s9_threads {
	__s32	pid;		/* in */
	__s32	count;		/* out: of records, or -ESRCH, -E2BIG */
};

#endif /* STACK9_THREADS_RECORD_H */
