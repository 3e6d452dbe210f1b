// Defines the locks and makes them new in a forked child.
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

// The children of a bare clone(2) run no handlers of pthread_atfork().  So this
// flag lies on a page that the kernel empties in each child.  A kernel before
// 4.14 cannot do so, and the flag then stays true.
constinit std::atomic<bool> always{true};
constinit std::atomic<bool> *known = &always;

// Another thread may have held a lock at the fork.  That thread is not in the
// child to unlock it.
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
