/*
 * The skeletons, of which only the bytes are wanted.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "event_record.h"	/* the skeletons have some of its types */
#include "event.elf.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "event_record.h"	/* the skeletons have some of its types */
#include "event.elf.h"
#include "event_old.elf.h"
#pragma GCC diagnostic pop

const void *
s9_event_elf(int old, size_t *size)
{
	return old ? elf_event_old__elf_bytes(size) :
	    elf_event__elf_bytes(size);
}
