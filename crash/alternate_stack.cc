// Gives threads alternate stacks, and takes them back when the threads end.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "alternate_stack.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

namespace stack9::crash {
namespace {

// The kernel stores up to 11 KiB of registers on it, and the handler needs a
// few more.  The report runs on a stack of its own.
constexpr std::size_t stack_size = 64 << 10, stack_least = 16 << 10;

constinit pthread_key_t stack_key{};
constinit std::atomic<bool> has_key{false};
pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

std::size_t
guard_size() noexcept
{
	return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void
give_back(void *stack) noexcept
{
	stack_t now;
	if (sigaltstack(nullptr, &now) == 0 && now.ss_sp == stack) {
		const stack_t none{nullptr, SS_DISABLE, 0};
		sigaltstack(&none, nullptr);
	}
	unmap_stack(stack);
}

} // namespace

int
prepare_stacks() noexcept
{
	pthread_mutex_lock(&making);
	int error = 0;
	if (!has_key) {
		error = pthread_key_create(&stack_key, give_back);
		has_key = error == 0;
	}
	pthread_mutex_unlock(&making);
	return error == 0 ? 0 : ENOMEM;
}

bool
has_stack() noexcept
{
	stack_t now;
	return sigaltstack(nullptr, &now) == 0 &&
	    (now.ss_flags & SS_DISABLE) == 0 && now.ss_size >= stack_least;
}

// A page without access is below the stack.
void *
map_stack() noexcept
{
	const std::size_t guard = guard_size();
	void *const mapped = mmap(nullptr, guard + stack_size, PROT_READ |
	    PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (mapped == MAP_FAILED)
		return nullptr;
	mprotect(mapped, guard, PROT_NONE);
	return static_cast<std::byte *>(mapped) + guard;
}

void
unmap_stack(void *stack) noexcept
{
	const std::size_t guard = guard_size();
	munmap(static_cast<std::byte *>(stack) - guard, guard + stack_size);
}

int
use_stack(void *stack) noexcept
{
	if (has_stack()) {
		unmap_stack(stack);
		return 0;
	}
	const stack_t ours{stack, 0, stack_size};
	if (pthread_setspecific(stack_key, stack) == 0) {
		if (sigaltstack(&ours, nullptr) == 0)
			return 0;
		pthread_setspecific(stack_key, nullptr);
	}
	unmap_stack(stack);
	return ENOMEM;
}

} // namespace stack9::crash
