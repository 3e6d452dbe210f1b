// Starts the child that starts readers.  All of them have given up all rights
// before they see a file.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <string>

#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "core/arguments.h"

#include "client.h"
#include "starter.h"
#include "shared_buffer.h"

namespace stack9::sandbox {
namespace {

constexpr std::size_t shared_size = shared_buffer::halves * shared_buffer::size;

std::byte *
map_shared() noexcept
{
	void *const at = mmap(nullptr, shared_size, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return at == MAP_FAILED ? nullptr : static_cast<std::byte *>(at);
}

int
start_reader(unsigned int flags) noexcept
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return errno;
	unique_fd here(ends[0]), there(ends[1]);
	std::byte *const shared = map_shared();
	if (shared == nullptr)
		return ENOMEM;
	const bool once = (flags & STACK9_APART_ONCE) != 0;
	const pid_t child = fork();
	if (child < 0) {
		const int error = errno;
		munmap(shared, shared_size);
		return error;
	}
	if (child == 0) {
		here.reset();
		start_readers(std::move(there), shared, once);
	}
	madvise(shared, shared_size, MADV_DONTFORK);
	there.reset();
	here.step_aside();
	// Never destroyed, because other threads may use it while the program
	// exits.
	auto *const made = new (std::nothrow) client(starter(
	    std::move(here), child, shared, once),
	    (flags & STACK9_APART_NAMES) != 0);
	if (made == nullptr)
		return ENOMEM;
	if (const int error = made->begin(); error != 0)
		return error;
	the_reader.store(made);
	std::atexit([] {
		static_cast<client *>(the_reader.load())->end();
	});
	pthread_atfork(nullptr, nullptr, [] {
		static_cast<client *>(the_reader.load())->leave();
	});
	return 0;
}

} // namespace
} // namespace stack9::sandbox

extern "C" int
stack9_read_apart(unsigned int flags)
{
	using namespace stack9;
	if ((flags & ~(STACK9_APART_NAMES | STACK9_APART_ONCE)) != 0)
		return failed(EINVAL, has_unknown_flags);
	static constinit std::mutex lock;
	const std::lock_guard hold(lock);
	if (the_reader.load() != nullptr)
		return 0;
	const int error = sandbox::start_reader(flags);
	return error == 0 ? 0 : failed(error, std::string("no process could be "
	    "made that reads files: ") + std::strerror(error));
}
