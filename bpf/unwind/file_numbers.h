// Numbers the files whose rules are published.  All processes that have a file
// mapped share its rules.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "layout.h"

namespace stack9::events {

// A file as the kernel knows it: one that has been written since is another.
// The vdso has a size alone.
struct file_identity {
	std::uint32_t	device = 0;
	std::uint64_t	inode = 0;
	std::uint64_t	changed_s = 0;
	std::uint32_t	changed_ns = 0;
	std::uint64_t	bytes = 0;

	friend auto operator<=>(const file_identity &, const file_identity &) =
	    default;
};

class file_numbers {
public:
	// 0: all are in use.  Throws std::bad_alloc.
	std::uint32_t
	number_of(const file_identity &f)
	{
		const auto known = all_.find(f);
		if (known != all_.end())
			return known->second;
		if (all_.size() + 1 >= S9_FILES)
			return 0;
		const auto next = static_cast<std::uint32_t>(all_.size() + 1);
		all_.emplace(f, next);
		return next;
	}

private:
	std::map<file_identity, std::uint32_t> all_;
};

} // namespace stack9::events
