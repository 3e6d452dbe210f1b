// Declares the address space of a process, as it was in its last snapshot.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "core/seam/space.h"

#include "place_table.h"
#include "snapshots.h"

// Opaque to callers; counted.
struct stack9_space {
	explicit stack9_space(const stack9_thread &td) : snapshots_(td) {}

	// Takes a snapshot of what is mapped now.  0; ESRCH; EPERM; ENOMEM...
	int take_snapshot() noexcept;
	// Takes one of what the text of /proc/TID/maps says.
	int take_snapshot(std::string_view maps) noexcept;
	// Takes one of mappings that another process has seen.  Throws
	// std::bad_alloc.
	void take_snapshot(std::vector<stack9::process::mapping>);
	// Takes one with a mapping after those of the last one.  Throws
	// std::bad_alloc.
	void take_further(stack9::process::mapping);

	// False: nothing is mapped there.  Thread-safe, without a lock; what it
	// points to lives as long as the space.
	bool
	find(std::uintptr_t address, stack9::process::place &to) noexcept
	{
		return snapshots_.find(address, to);
	}
	// Calls fn with each mapping of the last snapshot, by address.
	template <class F> void each_mapping(F fn) { snapshots_.each(fn); }
	const stack9_thread &
	thread() const noexcept
	{
		return snapshots_.thread();
	}
	// The number of the last snapshot; no other snapshot of any space has
	// it.
	std::uint64_t number() const noexcept { return snapshots_.number(); }

	// Returns true if both have the same code mapped at the same addresses,
	// of the same process.
	bool is_same_code(stack9_space &other) noexcept
	{
		return snapshots_.is_same_code(other.snapshots_);
	}

	// Returns true if its last snapshot is known to have no language's
	// runtime.
	bool
	is_silent() const noexcept
	{
		return silent_.load(std::memory_order_relaxed) == number();
	}
	void
	note_silent(std::uint64_t number) noexcept
	{
		silent_.store(number, std::memory_order_relaxed);
	}

	// Something that another room keeps as long as the space exists, by an
	// address of its own.  make() gives a unique_ptr and may throw.
	template <class Make>
	stack9::process::attachment &
	attached(const void *key, Make make)
	{
		const std::lock_guard hold(attached_lock_);
		auto &its = attached_[key];
		if (its == nullptr)
			its = make();
		return *its;
	}

	// The process of a core file lives as long as its space.
	std::shared_ptr<void> keeps;

	// A space without a process has one; NULL in any other.
	std::unique_ptr<stack9::process::place_table> places;

	void hold() noexcept { holders_.fetch_add(1); }
	// False: the last holder has dropped it meanwhile.
	bool
	try_hold() noexcept
	{
		int n = holders_.load();
		while (n > 0)
			if (holders_.compare_exchange_weak(n, n + 1))
				return true;
		return false;
	}
	bool drop() noexcept { return holders_.fetch_sub(1) == 1; }

private:
	std::atomic<int>		holders_{1};
	std::atomic<std::uint64_t>	silent_{UINT64_MAX};	// a snapshot
	std::mutex			lock_;		// of taking one
	std::mutex			attached_lock_;
	std::map<const void *, std::unique_ptr<stack9::process::attachment>>
					attached_;
	stack9::process::snapshots	snapshots_;
};
