/*
 * Holds the objects of the programs on events.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "event_elf.h"

#include "bpf/embed.h"

S9_EMBED(event);
S9_EMBED(event_old);

const void *
s9_event_elf(int old, size_t *size)
{
	const unsigned char *begin = old ? s9_bpf_event_old : s9_bpf_event;
	const unsigned char *end = old ? s9_bpf_event_old_end :
	    s9_bpf_event_end;

	*size = (size_t)(end - begin);
	return begin;
}
