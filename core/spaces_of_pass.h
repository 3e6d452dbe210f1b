// Declares the spaces of a pass over the threads of many processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <new>

#include "core/seam/space.h"

namespace stack9 {

// Keeps a space of each process until the pass ends, because the threads of a
// machine do not come process by process.
class spaces_of_pass {
public:
	// The space of this process is known.  Throws std::bad_alloc.
	void
	know(pid_t pid, stack9_space &space)
	{
		unique_space &s = spaces_[pid];
		space_hold(space);
		s.reset(&space);
	}

	// NULL: the space cannot be opened, or there is no memory.  The capture
	// without a space says why.
	stack9_space *
	of(const stack9_thread &td) noexcept
	{
		if (last_ != nullptr && last_pid_ == td.pid)
			return last_;
		try {
			unique_space &s = spaces_[td.pid];
			if (s == nullptr)
				space_of_now(td, s);
			last_pid_ = td.pid;
			return last_ = s.get();
		} catch (const std::bad_alloc &) {
			return nullptr;
		}
	}

	// Takes a space that is newer than the one that of() gave.  If of() had
	// no memory to keep one, the caller keeps it.
	void
	replace(const stack9_thread &td, unique_space &newer) noexcept
	{
		const auto at = spaces_.find(td.pid);
		if (newer == nullptr || at == spaces_.end())
			return;
		at->second = std::move(newer);
		last_ = nullptr;
	}

private:
	std::map<pid_t, unique_space>	spaces_;
	stack9_space			*last_ = nullptr;
	pid_t				last_pid_ = 0;
};

} // namespace stack9
