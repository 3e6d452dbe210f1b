// Implements the public calls: installs and removes the handler, and gives
// threads their alternate stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cerrno>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <stack9_crash.h>

#include "core/arguments.h"

#include "alternate_stack.h"
#include "crash.h"
#include "signals.h"

namespace stack9::crash {
namespace {

// fd and flags in one word, so that a crash meanwhile has both of one call.
constinit std::atomic<std::uint64_t> wanted{~std::uint64_t{0}};
constinit std::atomic<opener *> opens{nullptr};
constinit std::atomic<pid_t> installed_in{0};	// 0: in none
pthread_mutex_t installing = PTHREAD_MUTEX_INITIALIZER;

void
in_child() noexcept
{
	if (installed_in != 0)
		installed_in = getpid();
}

// Registers it once.  The calling thread has the lock.
void
follow_forks() noexcept
{
	static constinit bool followed = false;
	if (!followed)
		followed = pthread_atfork(nullptr, nullptr, in_child) == 0;
}

} // namespace

settings
current_settings() noexcept
{
	const std::uint64_t w = wanted;
	return {static_cast<std::int32_t>(w), static_cast<unsigned int>(
	    w >> 32), installed_in, opens};
}

int
install(int fd, opener *open, unsigned int flags) noexcept
{
	if (const int error = stack9_crash_thread(); error != 0)
		return error;
	pthread_mutex_lock(&installing);
	follow_forks();
	installed_in = getpid();
	opens = open;
	wanted = std::uint64_t{flags} << 32 | static_cast<std::uint32_t>(fd);
	const int error = install_handlers();
	pthread_mutex_unlock(&installing);
	return error;
}

} // namespace stack9::crash

using namespace stack9::crash;

extern "C" {

int
stack9_crash_thread(void)
{
	if (has_stack())
		return 0;
	if (prepare_stacks() != 0)
		return ENOMEM;
	void *const stack = map_stack();
	return stack != nullptr ? use_stack(stack) : ENOMEM;
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
	return stack9::failed(install(fd, nullptr, flags));
}

void
stack9_crash_remove(void)
{
	pthread_mutex_lock(&installing);
	restore_handlers();
	pthread_mutex_unlock(&installing);
}

} // extern "C"
