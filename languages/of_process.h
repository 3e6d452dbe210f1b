// Keeps something with a file for each process that has the file: what a space
// keeps is gone when its process maps something, as runtimes do all the time.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

#include <stack9.h>

#include "runtime.h"

namespace stack9::languages {

// The processes that were asked for last have theirs.
template <class T>
class of_process final : public process::attachment {
public:
	// Throws std::bad_alloc.
	std::shared_ptr<T>
	get(const stack9_thread &who) const
	{
		const std::lock_guard hold(lock_);
		for (const known &k : all_)
			if (k.tid == who.tid && k.start == who.start)
				return k.what;
		all_.push_front({who.tid, who.start, std::make_shared<T>()});
		if (all_.size() > most)
			all_.pop_back();
		return all_.front().what;
	}

private:
	struct known {
		pid_t			tid;
		std::uint64_t		start;
		std::shared_ptr<T>	what;
	};
	static constexpr std::size_t most = 256;

	mutable std::mutex		lock_;
	mutable std::deque<known>	all_;
};

} // namespace stack9::languages
