// Serves the copy of a stopped thread's stack to a walk, and all other memory
// as it is now.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstring>

#include "backends/ptrace/stopped_thread.h"
#include "os/process_memory.h"
#include "unwind/memory.h"

namespace stack9::crash {

class copied_memory final : public unwind::memory {
public:
	explicit copied_memory(const tracing::read_piece &stack) noexcept
	    : stack_(stack) {}

	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		if (from >= stack_.at && size <= stack_.size &&
		    from - stack_.at <= stack_.size - size) {
			std::memcpy(to, stack_.bytes + (from - stack_.at),
			    size);
			return true;
		}
		return read_directly(getpid(), from, to, size) ==
		    static_cast<ssize_t>(size);
	}

private:
	const tracing::read_piece	&stack_;
};

} // namespace stack9::crash
