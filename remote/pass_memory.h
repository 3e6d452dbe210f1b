// Keeps the pages of a process that walks of one moment have read, for the
// walks of further threads that have slept since then.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "process/file.h"

namespace stack9::remote {

// Bytes by the address of the first.
class memory_parts {
public:
	using bytes = std::vector<std::byte>;

	// NULL: none begin there.  Most words that are read lie where the last
	// one did.
	const bytes *
	find(std::uintptr_t at)
	{
		if (last_ == nullptr || last_at_ != at) {
			const auto known = all_.find(at);
			last_at_ = at;
			last_ = known == all_.end() ? nullptr : &known->second;
		}
		return last_;
	}
	// Gives the last ones that begin there or before, and where; NULL.
	const bytes *
	find_before(std::uintptr_t &at) const
	{
		auto known = all_.upper_bound(at);
		if (known == all_.begin())
			return nullptr;
		at = (--known)->first;
		return &known->second;
	}
	bytes &operator[](std::uintptr_t at) { return all_[at]; }
	void
	erase(std::uintptr_t at)
	{
		last_ = nullptr;
		all_.erase(at);
	}
	void
	clear() noexcept
	{
		last_ = nullptr;
		all_.clear();
	}
	std::size_t size() const noexcept { return all_.size(); }

private:
	std::map<std::uintptr_t, bytes> all_;
	std::uintptr_t	last_at_ = 0;
	const bytes	*last_ = nullptr;
};

class pass_memory final : public process::attachment {
public:
	// The use of it by one walk.
	class use {
	public:
		// moment: of the question (core/seam/written.h).  Another one
		// forgets what the one before had.
		use(pass_memory &of, std::uint64_t moment)
		    : of_(of), held_(of.lock_, std::defer_lock)
		{
			if (moment == 0 || !held_.try_lock())
				return;
			if (of_.moment_ != moment)
				of_.pages_.clear();
			of_.moment_ = moment;
		}
		// NULL: the thread is of no moment, or another walk has it.
		memory_parts *
		pages() noexcept
		{
			return held_.owns_lock() ? &of_.pages_ : nullptr;
		}

	private:
		pass_memory	&of_;
		std::unique_lock<std::mutex> held_;
	};

private:
	std::mutex	lock_;
	std::uint64_t	moment_ = 0;
	memory_parts	pages_;
};

} // namespace stack9::remote
