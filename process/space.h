// The address space of a process as it was when it was looked at.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/seam/space.h"

#include "file.h"

namespace stack9::process {

// One line of /proc/TID/maps.
struct mapping {
	std::uintptr_t	start = 0, end = 0;
	std::uint64_t	offset = 0;	// in the file, of start
	std::uint64_t	inode = 0;	// 0: of no file
	std::uint32_t	major = 0, minor = 0;	// of its device
	bool		readable = false, writable = false, executable = false;
	bool		deleted = false;
	std::string	path;		// without " (deleted)"; "[vdso]"; ""
	// Of what is executable, and of the rest of such files; NULL: none, or
	// it could not be had.
	std::shared_ptr<file> backing;
};

// What an address is in.
struct place {
	const mapping	*where = nullptr;
	file		*backing = nullptr;	// or NULL
	std::uint64_t	vaddr = 0;	// in backing; 0: none
	std::uint64_t	bias = 0;	// address minus vaddr
};

// That of an address which is in the mapping.
place place_in(const mapping &, std::uintptr_t address) noexcept;

// One look: the mappings by address.
struct spot {
	std::uintptr_t	start, end;
	const mapping	*what;
};
using spots = std::vector<spot>;

class look_taker;

} // namespace stack9::process

// Opaque to callers; counted.
struct stack9_space {
	explicit stack9_space(const stack9_thread &) noexcept;
	~stack9_space();

	// 0; ESRCH; EPERM; ENOMEM...  Takes the lock.
	int look() noexcept;
	// As if it had mapped what the text says.
	int believe(std::string_view maps) noexcept;

	// False: nothing is mapped there.  Thread-safe, without a lock; what it
	// points to lives as long as the space.
	bool find(std::uintptr_t address, stack9::process::place &) noexcept;

	const stack9_thread &thread() const noexcept { return thread_; }

	// Of the last look, and of no other of any space.
	std::uint64_t
	number() const noexcept
	{
		return number_.load(std::memory_order_acquire);
	}

	void hold() noexcept { holders_.fetch_add(1); }
	bool drop() noexcept { return holders_.fetch_sub(1) == 1; }

private:
	friend class stack9::process::look_taker;

	void publish(std::unique_ptr<const stack9::process::spots>) noexcept;

	const stack9_thread	thread_;
	std::atomic<int>	holders_{1};
	// The last look, and how many are reading that or one before.
	std::atomic<const stack9::process::spots *> now_{nullptr};
	std::atomic<int>	readers_{0};
	std::atomic<std::uint64_t> number_{0};
	std::mutex		lock_;		// of the rest
	std::vector<std::unique_ptr<const stack9::process::spots>> superseded_;
	// Whatever was mapped at any look; it never moves.
	std::deque<stack9::process::mapping> seen_;
	std::unordered_multimap<std::uintptr_t,
	    const stack9::process::mapping *> gone_;	// by start
	std::uint64_t		process_start_ = 0;	// the leader's
};
