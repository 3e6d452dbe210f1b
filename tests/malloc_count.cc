// Counts malloc() and its kin, and then calls glibc's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "malloc_count.h"

#include <cstddef>

thread_local long malloc_count;
void (*on_malloc)();

static void
on_call()
{
	malloc_count++;
	if (on_malloc != nullptr)
		on_malloc();
}

extern "C" {

void *__libc_malloc(std::size_t);
void *__libc_calloc(std::size_t, std::size_t);
void *__libc_realloc(void *, std::size_t);

void *
malloc(std::size_t size)
{
	on_call();
	return __libc_malloc(size);
}

void *
calloc(std::size_t count, std::size_t size)
{
	on_call();
	return __libc_calloc(count, size);
}

void *
realloc(void *p, std::size_t size)
{
	on_call();
	return __libc_realloc(p, size);
}

}
