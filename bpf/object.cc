// Loads an object by its light skeleton, or by libbpf if the kernel is too old
// for that.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "object.h"

#include <memory>
#include <utility>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture_lock.h"
#include "scoped.h"
#include "os/block_signals.h"

namespace stack9::bpf {
namespace {

int
copy_fd(int fd, int &to) noexcept
{
	to = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return to < 0 ? errno : 0;
}

int
copy_program(bpf_object *o, const char *name, int &to) noexcept
{
	return name == nullptr ? 0 : copy_fd(bpf_program__fd(
	    bpf_object__find_program_by_name(o, name)), to);
}

// libbpf's ordinary loader takes 10 ms, because it reads all of the kernel's
// BTF.  Before 5.11 libbpf 1.1 raises RLIMIT_MEMLOCK to infinity, and exports
// no call that would keep it from doing so.
int
load_plain(const s9_image &image, s9_fds &fds) noexcept
{
	const silence_libbpf no_prints;
	const std::unique_ptr<bpf_object, object_closer> o(
	    bpf_object__open_mem(image.elf,
	    static_cast<std::size_t>(image.elf_end - image.elf), nullptr));
	if (o == nullptr)
		return errno;
	if (const int error = bpf_object__load(o.get()); error != 0)
		return -error;
	int error = copy_program(o.get(), image.prog, fds.prog);
	if (error == 0)
		error = copy_program(o.get(), image.second, fds.second);
	if (error == 0 && image.map != nullptr)
		error = copy_fd(bpf_object__find_map_fd_by_name(o.get(),
		    image.map), fds.map);
	return error;
}

// Returns true if libbpf may succeed after the light skeleton has failed.  Both
// need the same rights.  libbpf must not be asked while memory or descriptors
// are short: its probes then fail, and it believes for the life of the process
// that the kernel lacks the features.
bool
is_worth_libbpf(int error) noexcept
{
	return error != EPERM && error != ENOMEM && error != EMFILE &&
	    error != ENFILE && error != EAGAIN;
}

} // namespace

int
object::try_load() noexcept
{
	const block_signals in_peace;
	fds_ = {-1, -1, -1};
	int error = -image_.load(&fds_);
	if (error != 0 && plain_ && is_worth_libbpf(error))
		error = load_plain(image_, fds_);
	if (error != 0)
		return error;
	if (map_bytes_ == 0)
		return 0;
	void *at = mmap(nullptr, map_bytes_, PROT_READ | PROT_WRITE,
	    MAP_SHARED, fds_.map, 0);
	if (at == MAP_FAILED)
		return errno;
	memory_ = at;
	return 0;
}

// Descriptors that were lost, or are from before a fork, are not closed: their
// numbers may belong to others by now, as in a daemon that closes all it has
// inherited.  The memory stays mapped, because a pass may still use it.
// Close-on-exec ends the rest.
void
object::drop() noexcept
{
	const bool ours = !lost_.exchange(false) &&
	    generation_.load() == fork_generation();
	const s9_fds fds = std::exchange(fds_, {-1, -1, -1});
	void *const at = std::exchange(memory_, nullptr);
	program_.store(-1);
	adopted_.store(false);
	generation_.store(fork_generation());
	if (!ours)
		return;
	if (at != nullptr)
		munmap(at, map_bytes_);
	for (const int fd : {fds.prog, fds.second, fds.map})
		unique_fd(fd).reset();
}

verdict
object::load() noexcept
{
	if (program() >= 0)
		return {0, nullptr};
	const guard locked(load_mutex());
	if (program() >= 0)
		return {0, nullptr};
	drop();
	if (refused_.stands())
		return refused_.answer();
	const int error = try_load();
	if (error != 0) {
		drop();
		return refused_.keep(error, lacking_);
	}
	refused_.forget();
	program_.store(fds_.prog, std::memory_order_release);
	return {0, nullptr};
}

int
object::program() const noexcept
{
	const int fd = program_.load(std::memory_order_acquire);
	return generation_.load(std::memory_order_relaxed) == fork_generation()
	    ? fd : -1;
}

int
object::second_program() const noexcept
{
	return program() < 0 ? -1 : fds_.second;
}

void
object::lost(int program) noexcept
{
	lost_.store(true);
	program_.compare_exchange_strong(program, -1);
}

void
object::adopt(int program) noexcept
{
	const guard locked(load_mutex());
	drop();
	fds_.prog = program;
	adopted_.store(true);
	program_.store(program, std::memory_order_release);
}

} // namespace stack9::bpf
