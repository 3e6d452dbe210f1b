/*
 * Holds the objects of the programs on events.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "event_elf.h"

#include "bpf/embed.h"

S9_EMBED(event);
S9_EMBED(event_old);
S9_EMBED(event_without_rules);
S9_EMBED(lent);

#define	OBJECT(o)	{s9_bpf_##o, s9_bpf_##o##_end}

const void *
s9_event_elf(enum s9_event_object o, size_t *size)
{
	static const unsigned char *const all[][2] = {
		[S9_EVENT_OLD] = OBJECT(event_old),
		[S9_EVENT_WALKS] = OBJECT(event),
		[S9_EVENT_WITHOUT_RULES] = OBJECT(event_without_rules),
		[S9_EVENT_LENT] = OBJECT(lent),
	};

	*size = (size_t)(all[o][1] - all[o][0]);
	return all[o][0];
}
