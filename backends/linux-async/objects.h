/*
 * Holds the BPF objects of asynchronous captures.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_ASYNC_OBJECTS_H
#define STACK9_ASYNC_OBJECTS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum s9_async_object {
	S9_ASYNC_COPIES,	/* its programs copy */
	S9_ASYNC_WALKS,		/* its programs walk at their events */
	S9_ASYNC_OBJECTS
};

/* plain: the one for kernels whose names have no suffix: see async.bpf.c. */
const void *s9_async_object(enum s9_async_object, int plain, size_t *size);

#ifdef __cplusplus
}
#endif

#endif /* STACK9_ASYNC_OBJECTS_H */
