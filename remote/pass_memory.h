// Keeps the pages of a process that walks of one moment have read, for the
// walks of further threads that have slept since then.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <mutex>

#include "languages/memory_parts.h"
#include "process/file.h"

namespace stack9::remote {

using languages::memory_parts;

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
