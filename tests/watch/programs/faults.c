/*
 * Touches PAGES fresh pages, one page fault each (faults PAGES).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <sys/mman.h>

#include "stage.h"

void touch_each(volatile char *, long pages, long size);

void
touch_each(volatile char *at, long pages, long size)
{
	for (long i = 0; i < pages; i++)
		at[i * size] = 1;
}

int
main(int argc, char **argv)
{
	const long pages = stage_number(argc, argv, 1, 1000);
	const long size = sysconf(_SC_PAGESIZE);
	char *const at = mmap(NULL, pages * size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return (1);
	madvise(at, pages * size, MADV_NOHUGEPAGE);
	stage_ready("");
	touch_each(at, pages, size);
	printf("done %ld\n", pages);
	stage_end();
}
