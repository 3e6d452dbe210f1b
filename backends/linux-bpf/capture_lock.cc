// The locks, and what becomes of them in a forked child.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "capture_lock.h"

#include <atomic>
#include <new>

#include <pthread.h>

namespace stack9::bpf {
namespace {

constinit std::mutex capturing;
constinit std::mutex loading;
std::atomic<unsigned int> generation{1};

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
	return generation.load(std::memory_order_relaxed);
}

} // namespace stack9::bpf
