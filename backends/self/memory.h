// This process's memory, read so that no address can fault.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "snapshot.h"

namespace stack9::self {

// Copies what is mapped of [from, from + size), stopping at the first hole;
// how many bytes that were.  process_vm_readv(2) on ourselves: a memcpy() would
// need a SIGSEGV handler, mincore(2) says nothing of rights.
// Async-signal-safe; may change errno.
std::size_t read_memory(std::uintptr_t from, void *to, std::size_t size)
    noexcept;

// 0, or why read_memory() never works here.
int probe_memory() noexcept;

// Words of memory during one walk: the snapshot first, the rest as it is now,
// in blocks, because unwind tables are read a few bytes at a time.  There is
// one set of blocks, too large for a stack, so one memory at a time.
class memory {
public:
	explicit memory(const snapshot &) noexcept;

	bool word(std::uintptr_t at, std::uintptr_t &value) noexcept;

	// Something else than the snapshot and mapped files was asked for: it
	// may be newer than the snapshot.
	bool strayed() const noexcept { return strayed_; }
	// From now on such memory reads as if it were not there.
	void stay() noexcept { may_stray_ = false; }

private:
	static constexpr std::size_t block_size = 4096;
	static constexpr std::size_t block_count = 32;
	struct block {
		std::uintptr_t	 base;	// 1, where none begins: empty
		std::size_t	 size;
		std::array<std::byte, block_size> bytes;
	};

	bool allowed(std::uintptr_t at) noexcept;
	const block *find(std::uintptr_t base) noexcept;

	const snapshot	&copy_;
	bool		 may_stray_ = true;
	bool		 strayed_ = false;
	static std::array<block, block_count> blocks_;
};

} // namespace stack9::self
