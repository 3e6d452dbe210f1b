/*
 * Holds the objects of the programs that walk at their events.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "walk_elf.h"

#include "bpf/embed.h"

S9_EMBED(async_walk);
S9_EMBED(async_walk_plain);

const void *
s9_walk_elf(int plain, size_t *size)
{
	const unsigned char *begin = plain ? s9_bpf_async_walk_plain :
	    s9_bpf_async_walk;
	const unsigned char *end = plain ? s9_bpf_async_walk_plain_end :
	    s9_bpf_async_walk_end;

	*size = (size_t)(end - begin);
	return begin;
}
