// Implements the public calls: installs and removes the handler, and gives
// threads their alternate stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cerrno>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stack9_crash.h>

#include "core/arguments.h"

#include "crash.h"
#include "signals.h"

namespace stack9::crash {
namespace {

// The kernel stores up to 11 KiB of registers on it, and the handler needs a
// few more.  The report runs on a stack of its own.
constexpr std::size_t stack_size = 64 << 10, stack_least = 16 << 10;

// fd and flags in one word, so that a crash meanwhile has both of one call.
constinit std::atomic<std::uint64_t> wanted{~std::uint64_t{0}};
constinit std::atomic<pid_t> installed_in{0};	// 0: in none
constinit pthread_key_t stack_key{};
constinit std::atomic<bool> has_key{false};
pthread_mutex_t installing = PTHREAD_MUTEX_INITIALIZER;

std::size_t
guard_size() noexcept
{
	return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void
give_back(void *mapped) noexcept
{
	stack_t now;
	if (sigaltstack(nullptr, &now) == 0 && now.ss_sp ==
	    static_cast<std::byte *>(mapped) + guard_size()) {
		const stack_t none{nullptr, SS_DISABLE, 0};
		sigaltstack(&none, nullptr);
	}
	munmap(mapped, guard_size() + stack_size);
}

void
in_child() noexcept
{
	if (installed_in != 0)
		installed_in = getpid();
}

int
make_key() noexcept
{
	pthread_mutex_lock(&installing);
	int error = 0;
	if (!has_key) {
		error = pthread_key_create(&stack_key, give_back);
		if (error == 0) {
			pthread_atfork(nullptr, nullptr, in_child);
			has_key = true;
		}
	}
	pthread_mutex_unlock(&installing);
	return error == 0 ? 0 : ENOMEM;
}

bool
has_stack() noexcept
{
	stack_t now;
	return sigaltstack(nullptr, &now) == 0 &&
	    (now.ss_flags & SS_DISABLE) == 0 && now.ss_size >= stack_least;
}

} // namespace

settings
current_settings() noexcept
{
	const std::uint64_t w = wanted;
	return {static_cast<std::int32_t>(w), static_cast<unsigned int>(
	    w >> 32), installed_in};
}

} // namespace stack9::crash

using namespace stack9::crash;

extern "C" {

int
stack9_crash_thread(void)
{
	if (has_stack())
		return 0;
	if (make_key() != 0)
		return ENOMEM;
	const std::size_t guard = guard_size();
	void *const mapped = mmap(nullptr, guard + stack_size, PROT_READ |
	    PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (mapped == MAP_FAILED)
		return ENOMEM;
	mprotect(mapped, guard, PROT_NONE);
	const stack_t ours{static_cast<std::byte *>(mapped) + guard, 0,
	    stack_size};
	if (pthread_setspecific(stack_key, mapped) != 0 ||
	    sigaltstack(&ours, nullptr) != 0) {
		pthread_setspecific(stack_key, nullptr);
		munmap(mapped, guard + stack_size);
		return ENOMEM;
	}
	return 0;
}

int
stack9_crash_install(int fd, unsigned int flags)
{
	constexpr unsigned int all = STACK9_CRASH_ONE_THREAD |
	    STACK9_CRASH_NO_KERNEL | STACK9_CRASH_NO_MODULES;
	if ((flags & ~all) != 0)
		return stack9::failed(EINVAL, stack9::has_unknown_flags);
	const int mode = fcntl(fd, F_GETFL);
	if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY)
		return stack9::failed(EBADF,
		    "fd is not open for writing");
	if (const int error = stack9_crash_thread(); error != 0)
		return stack9::failed(error);
	if (const int error = make_key(); error != 0)
		return stack9::failed(error);
	installed_in = getpid();
	wanted = std::uint64_t{flags} << 32 | static_cast<std::uint32_t>(fd);
	pthread_mutex_lock(&installing);
	const int error = install_handlers();
	pthread_mutex_unlock(&installing);
	return error;
}

void
stack9_crash_remove(void)
{
	pthread_mutex_lock(&installing);
	restore_handlers();
	pthread_mutex_unlock(&installing);
}

} // extern "C"
