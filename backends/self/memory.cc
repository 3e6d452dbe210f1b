// process_vm_readv(2) on our own process, and the few blocks a walk keeps.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "memory.h"

#include <cerrno>
#include <cstring>

#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

namespace stack9::self {
namespace {

ssize_t
read_ourselves(std::uintptr_t from, void *to, std::size_t size) noexcept
{
	const iovec local{to, size};
	const iovec remote{reinterpret_cast<void *>(from), size};
	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
}

} // namespace

// The manual page says that a transfer never splits an iovec; the kernel (3.2
// to 6.18) copies up to the first page that it cannot reach and says so.
std::size_t
read_memory(std::uintptr_t from, void *to, std::size_t size) noexcept
{
	const ssize_t n = read_ourselves(from, to, size);
	return n > 0 ? static_cast<std::size_t>(n) : 0;
}

int
probe_memory() noexcept
{
	const int here = 9;
	int there = 0;
	const ssize_t n = read_ourselves(
	    reinterpret_cast<std::uintptr_t>(&here), &there, sizeof there);
	return n == sizeof there && there == here ? 0 : n < 0 ? errno : EIO;
}

void
snapshot::take() noexcept
{
	base = sp() - red_zone;
	size = read_memory(base, bytes, room);
}

constinit std::array<memory::block, memory::block_count> memory::blocks_{};

memory::memory(const snapshot &copy) noexcept : copy_(copy)
{
	for (block &b : blocks_)
		b.base = 1;
}

bool
memory::word(std::uintptr_t at, std::uintptr_t &value) noexcept
{
	if (at - copy_.base < copy_.size &&
	    copy_.size - (at - copy_.base) >= sizeof value) {
		std::memcpy(&value, copy_.bytes + (at - copy_.base),
		    sizeof value);
		return true;
	}
	if (!allowed(at))
		return false;
	const std::size_t offset = at % block_size;
	if (offset > block_size - sizeof value)
		return read_memory(at, &value, sizeof value) == sizeof value;
	const block *b = find(at - offset);
	if (b->size < offset + sizeof value)
		return false;
	std::memcpy(&value, b->bytes.data() + offset, sizeof value);
	return true;
}

// Mapped files hold unwind tables and code, the same now as at the instant of
// the snapshot.  Anything else is another stack, or what a wrong return
// address led to.
bool
memory::allowed(std::uintptr_t at) noexcept
{
	dl_find_object object;
	if (_dl_find_object(reinterpret_cast<void *>(at), &object) == 0)
		return true;
	strayed_ = true;
	return may_stray_;
}

const memory::block *
memory::find(std::uintptr_t base) noexcept
{
	block &b = blocks_[base / block_size % block_count];
	if (b.base != base) {
		b.size = read_memory(base, b.bytes.data(), block_size);
		b.base = base;
	}
	return &b;
}

} // namespace stack9::self
