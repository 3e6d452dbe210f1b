// The locks, and what becomes of them in a forked child.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "capture_lock.h"

#include <atomic>
#include <new>

#include <pthread.h>
#include <sys/mman.h>

namespace stack9::bpf {
namespace {

constinit std::mutex capturing;
constinit std::mutex loading;
std::atomic<unsigned int> generation{1};

// On a page that the kernel empties in a child, for children of a bare
// clone(2) run no handlers.  Without that (before 4.14) it stays as it is.
constinit std::atomic<bool> always{true};
constinit std::atomic<bool> *known = &always;

// Another thread may have held a lock at the fork; it is not in the child to
// give it back.
void
in_child() noexcept
{
	new (&capturing) std::mutex;
	new (&loading) std::mutex;
	generation.fetch_add(1, std::memory_order_relaxed);
}

__attribute__((constructor)) void
at_load()
{
	pthread_atfork(nullptr, nullptr, in_child);
	void *const page = mmap(nullptr, sizeof *known, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return;
	if (madvise(page, sizeof *known, MADV_WIPEONFORK) == 0)
		known = new (page) std::atomic<bool>(true);
	else
		munmap(page, sizeof *known);
}

} // namespace

std::mutex &
capture_mutex() noexcept
{
	return capturing;
}

std::mutex &
load_mutex() noexcept
{
	return loading;
}

unsigned int
fork_generation() noexcept
{
	if (!known->load(std::memory_order_relaxed) && !known->exchange(true))
		generation.fetch_add(1, std::memory_order_relaxed);
	return generation.load(std::memory_order_relaxed);
}

} // namespace stack9::bpf
