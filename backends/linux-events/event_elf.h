/*
 * Declares the object of the programs on events.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_EVENT_ELF_H
#define STACK9_EVENT_ELF_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* old: for kernels before 5.11. */
const void *s9_event_elf(int old, size_t *size);

#ifdef __cplusplus
}
#endif

#endif /* STACK9_EVENT_ELF_H */
