// Notes at each fork whether the parent had threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "forked.h"

#include <atomic>

#include <pthread.h>
#include <sys/single_threaded.h>

namespace stack9::self {
namespace {

constinit std::atomic<bool> threads_at_fork{false};
constinit std::atomic<bool> in_such_a_child{false};

void
before_fork() noexcept
{
	threads_at_fork = !__libc_single_threaded;
}

void
in_child() noexcept
{
	if (threads_at_fork)
		in_such_a_child = true;
}

const int at_fork = pthread_atfork(before_fork, nullptr, in_child);

} // namespace

bool
forked_from_threads() noexcept
{
	return in_such_a_child.load(std::memory_order_relaxed);
}

} // namespace stack9::self
