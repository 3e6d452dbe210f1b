/*
 * Holds the BPF objects of asynchronous captures.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "objects.h"

#include "bpf/embed.h"

S9_EMBED(async);
S9_EMBED(async_plain);
S9_EMBED(async_walk);
S9_EMBED(async_walk_plain);

#define	OBJECT(x)	{ s9_bpf_##x, s9_bpf_##x##_end }

const void *
s9_async_object(enum s9_async_object which, int plain, size_t *size)
{
	static const struct {
		const unsigned char *begin, *end;
	} all[S9_ASYNC_OBJECTS][2] = {
		{ OBJECT(async), OBJECT(async_plain) },
		{ OBJECT(async_walk), OBJECT(async_walk_plain) },
	};

	*size = (size_t)(all[which][plain].end - all[which][plain].begin);
	return all[which][plain].begin;
}
