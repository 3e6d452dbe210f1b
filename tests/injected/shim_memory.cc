// Makes the n-th allocation fail, and counts those that are not freed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "shim.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace {

using shim::kind;
using shim::strikes;

std::atomic<long> allocations;

} // namespace

long
shim::allocated()
{
	return allocations;
}

#pragma GCC visibility push(default)
extern "C" {

void *__libc_malloc(std::size_t);
void *__libc_calloc(std::size_t, std::size_t);
void *__libc_realloc(void *, std::size_t);
void *__libc_memalign(std::size_t, std::size_t);
void __libc_free(void *);

static void *
counted(void *p)
{
	allocations += p != nullptr;
	return p;
}

void *
malloc(std::size_t size)
{
	return strikes(kind::allocation) ? nullptr :
	    counted(__libc_malloc(size));
}

void *
calloc(std::size_t count, std::size_t size)
{
	return strikes(kind::allocation) ? nullptr :
	    counted(__libc_calloc(count, size));
}

void *
realloc(void *p, std::size_t size)
{
	if (strikes(kind::allocation))
		return nullptr;
	return p == nullptr ? counted(__libc_realloc(p, size)) :
	    __libc_realloc(p, size);
}

void *
aligned_alloc(std::size_t alignment, std::size_t size)
{
	return strikes(kind::allocation) ? nullptr :
	    counted(__libc_memalign(alignment, size));
}

int
posix_memalign(void **to, std::size_t alignment, std::size_t size)
{
	if (strikes(kind::allocation))
		return ENOMEM;
	*to = counted(__libc_memalign(alignment, size));
	return *to == nullptr ? ENOMEM : 0;
}

void
free(void *p)
{
	allocations -= p != nullptr;
	__libc_free(p);
}

}
#pragma GCC visibility pop
