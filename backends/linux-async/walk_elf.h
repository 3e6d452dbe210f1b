/*
 * Holds the objects of the programs that walk at their events.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_WALK_ELF_H
#define STACK9_WALK_ELF_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* plain: as for s9_async_load(). */
const void *s9_walk_elf(int plain, size_t *size);

#ifdef __cplusplus
}
#endif

#endif /* STACK9_WALK_ELF_H */
