// Reads the states of the threads of one process by the program "threads".
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <span>

#include <sys/types.h>

#include "bpf/state_record.h"

namespace stack9::bpf {

class process_threads {
public:
	// Returns 0; ESRCH; or another errno, if a task iterator has to do it.
	int	read(pid_t) noexcept;

	// By ascending tid.
	std::span<const s9_state>
	all() const noexcept
	{
		return {all_.get(), count_};
	}

private:
	std::unique_ptr<s9_state[]> all_;
	std::size_t		    count_ = 0;
};

} // namespace stack9::bpf
