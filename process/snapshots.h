// Keeps the snapshots of a process's mappings that a space has made.  The
// newest one is read without a lock; a mapping, once seen, never moves.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include <stack9.h>

#include "mapping.h"

namespace stack9::process {

class snapshots {
public:
	explicit snapshots(const stack9_thread &td) : thread_(td) {}
	~snapshots() { delete now_.load(); }
	snapshots(const snapshots &) = delete;
	snapshots &operator=(const snapshots &) = delete;

	// False: nothing is mapped there.  Thread-safe, without a lock; what it
	// points to lives as long as this.
	bool find(std::uintptr_t address, place &) noexcept;
	// Returns true if the newest snapshots of both have the same executable
	// mappings, and are of the same process.
	bool is_same_code(snapshots &) noexcept;
	// Calls fn with each mapping of the newest snapshot, by address.
	template <class F>
	void
	each(F fn)
	{
		const reading now(*this);
		if (now.list != nullptr)
			for (const spot &s : *now.list)
				fn(*s.what);
	}
	const stack9_thread &thread() const noexcept { return thread_; }
	// The number of the newest snapshot; no other snapshot of any space has
	// it.
	std::uint64_t
	number() const noexcept
	{
		return number_.load(std::memory_order_acquire);
	}

private:
	friend class maps_finder;
	friend class snapshot_maker;

	// Holds the newest snapshot as long as this lives.
	struct reading {
		explicit reading(snapshots &s) noexcept
		    : of((s.readers_.fetch_add(1), s)), list(s.now_.load()) {}
		~reading() { of.readers_.fetch_sub(1); }
		snapshots	&of;
		const spots	*const list;
	};

	void publish(std::unique_ptr<const spots>) noexcept;
	// NULL: nothing is mapped there.
	const mapping *find_mapping(std::uintptr_t address) noexcept;
	const mapping *search(std::uintptr_t address) noexcept;

	const stack9_thread	thread_;
	// The newest snapshot, and how many threads are reading it or one
	// before.
	std::atomic<const spots *> now_{nullptr};
	std::atomic<int>	readers_{0};
	std::atomic<std::uint64_t> number_{0};
	// The rest belongs to the one snapshot_maker at a time.
	std::vector<std::unique_ptr<const spots>> superseded_;
	// Every mapping of any snapshot; it never moves.
	std::deque<mapping>	seen_;
	std::unordered_multimap<std::uintptr_t, const mapping *> gone_;	// by
								// start
	std::uint64_t		process_start_ = 0;	// the leader's
};

} // namespace stack9::process
