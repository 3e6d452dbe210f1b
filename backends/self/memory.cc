// Reads our own process by process_vm_readv(2), and serves a stack copied so.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "memory.h"

#include <cstring>

#include <unistd.h>

#include "arch/cpu.h"
#include "os/process_memory.h"
#include "unwind/module.h"

namespace stack9::self {

std::size_t
read_memory(std::uintptr_t from, void *to, std::size_t size) noexcept
{
	const ssize_t n = read_directly(getpid(), from, to, size);
	return n > 0 ? static_cast<std::size_t>(n) : 0;
}

void
copied_stack::take(std::uintptr_t sp) noexcept
{
	base_ = sp - unwind::red_zone;
	size_ = read_memory(base_, buffer_.data(), buffer_.size());
	strayed_ = false;
}

// Mapped files hold code.  It is the same now as at the moment of the copy.
// Any other address is in another stack, or comes from a wrong return address.
bool
copied_stack::read(std::uintptr_t from, void *to, std::size_t size) noexcept
{
	const std::uintptr_t offset = from - base_;
	if (offset < size_ && size_ - offset >= size) {
		std::memcpy(to, buffer_.data() + offset, size);
		return true;
	}
	if (!unwind::in_module(from))
		strayed_ = true;
	return read_memory(from, to, size) == size;
}

} // namespace stack9::self
