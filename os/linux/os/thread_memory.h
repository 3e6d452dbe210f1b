// Reads the memory of one thread's process.  The first read opens it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include <sys/types.h>

#include "open_task.h"
#include "process_memory.h"

namespace stack9 {

class thread_memory {
public:
	thread_memory(pid_t tid, std::uint64_t start) noexcept
	    : tid_(tid), start_(start) {}

	// As process_memory's.  -1, too, if the thread had ended before the
	// first read, and another one has its tid.
	ssize_t
	read_present(std::uintptr_t from, void *to, std::size_t size) noexcept
	{
		unique_fd task;
		if (!asked_ && open_task(tid_, start_, task) == 0)
			memory_ = process_memory(task.get(), tid_);
		asked_ = true;
		return memory_.read_present(from, to, size);
	}

private:
	const pid_t		tid_;
	const std::uint64_t	start_;
	process_memory		memory_;
	bool			asked_ = false;
};

} // namespace stack9
