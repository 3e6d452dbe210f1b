// Reads this process's memory so that no address can fault.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "unwind/memory.h"

namespace stack9::self {

// Copies the mapped part of [from, from + size), up to the first hole, and
// returns the number of bytes.  It calls process_vm_readv(2) on this process.
// Rejected: memcpy(), because it needs a SIGSEGV handler; mincore(2), because
// it does not say whether memory may be read.  Async-signal-safe; may change
// errno.
std::size_t read_memory(std::uintptr_t from, void *to, std::size_t size)
    noexcept;

// The inner part of a stack as it was when it was copied, and all other memory
// as it is now.
class copied_stack final : public unwind::memory {
public:
	explicit copied_stack(std::span<std::byte> buffer) noexcept
	    : buffer_(buffer) {}

	// Copies the stack from sp outwards, until the buffer is full or a page
	// is not mapped.
	void take(std::uintptr_t sp) noexcept;

	bool read(std::uintptr_t from, void *to, std::size_t size) noexcept
	    override;

	// True if anything but the copy and mapped files was read: that may be
	// newer than the copy.
	bool strayed() const noexcept { return strayed_; }

private:
	std::span<std::byte>	buffer_;
	std::uintptr_t		base_ = 0;	// where the copy begins
	std::size_t		size_ = 0;	// bytes of it
	bool			strayed_ = false;
};

} // namespace stack9::self
