// Implements malloc(9) over libc's malloc().  Rejected: calloc(), because a
// ported file may define it by malloc(9) itself, as opensolaris_kmem.c does.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9/sys/malloc.h>
#include <stack9/sys/stack.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "console.h"
#include "os/uncancelled.h"

namespace stack9 {
namespace {

// Grows old, or makes new memory of it if it is NULL.  Without M_NOWAIT asks
// again every 10 ms until there is memory.
void *
get_memory(void *old, std::size_t size, int flags) noexcept
{
	const uncancelled guard;
	const int saved = errno;
	const timespec pause{0, 10'000'000};
	void *p;

	// FreeBSD gives an address for 0 bytes too.
	while ((p = ::realloc(old, size != 0 ? size : 1)) == nullptr &&
	    (flags & (M_NOWAIT | M_WAITOK)) != M_NOWAIT)
		nanosleep(&pause, nullptr);
	errno = saved;
	return p;
}

} // namespace
} // namespace stack9

extern "C" {

struct malloc_type M_TEMP[1] = {{"temp", "misc temporary data buffers"}};
struct malloc_type M_STACK[1] = {{"stack", "Stack Traces"}};
struct malloc_type M_DEVBUF[1] = {{"devbuf", "device driver memory"}};

void *
stack9_malloc(std::size_t size, const struct malloc_type *, int flags)
{
	void *const p = stack9::get_memory(nullptr, size, flags);
	return p != nullptr && (flags & M_ZERO) != 0 ?
	    std::memset(p, 0, size) : p;
}

void *
stack9_mallocarray(std::size_t count, std::size_t size,
    const struct malloc_type *type, int flags)
{
	std::size_t bytes;
	if (!__builtin_mul_overflow(count, size, &bytes))
		return stack9_malloc(bytes, type, flags);
	if ((flags & M_NOWAIT) != 0)
		return nullptr;
	stack9_panic("mallocarray: overflow(%zu * %zu)", count, size);
}

void *
stack9_realloc(void *old, std::size_t size, const struct malloc_type *,
    int flags)
{
	return stack9::get_memory(old, size, flags);
}

} // extern "C"
