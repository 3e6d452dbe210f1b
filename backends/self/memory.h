// This process's memory, read so that no address can fault.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "unwind/memory.h"

namespace stack9::self {

// Copies what is mapped of [from, from + size), stopping at the first hole;
// how many bytes that were.  process_vm_readv(2) on ourselves: a memcpy() would
// need a SIGSEGV handler, mincore(2) says nothing of rights.
// Async-signal-safe; may change errno.
std::size_t read_memory(std::uintptr_t from, void *to, std::size_t size)
    noexcept;

// 0, or why read_memory() never works here.
int probe_memory() noexcept;

// Memory as it was when the inner part of a stack was copied; the rest of it
// as it is now.
class copied_stack final : public unwind::memory {
public:
	explicit copied_stack(std::span<std::byte> room) noexcept
	    : room_(room) {}

	// Copies the stack from sp outwards, up to the room or the end of what
	// is mapped.
	void take(std::uintptr_t sp) noexcept;

	bool read(std::uintptr_t from, void *to, std::size_t size) noexcept
	    override;

	// Something else than the copy and mapped files was read: it may be
	// newer than the copy.
	bool strayed() const noexcept { return strayed_; }

private:
	std::span<std::byte>	room_;
	std::uintptr_t		base_ = 0;	// where the copied begins
	std::size_t		size_ = 0;	// bytes of it
	bool			strayed_ = false;
};

} // namespace stack9::self
