/*
 * Declares the objects of the programs on events.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_EVENT_ELF_H
#define STACK9_EVENT_ELF_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum s9_event_object {
	S9_EVENT_OLD,		/* for kernels before 5.11 */
	S9_EVENT_WALKS,		/* walks user stacks by learned rules */
	S9_EVENT_WITHOUT_RULES,	/* does not, and loads in half the time */
	S9_EVENT_LENT,		/* walks them for programs of others */
};

const void *s9_event_elf(enum s9_event_object, size_t *size);

#ifdef __cplusplus
}
#endif

#endif /* STACK9_EVENT_ELF_H */
