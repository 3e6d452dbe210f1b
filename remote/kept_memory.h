// Keeps the memory of a process open for all walks of a pass.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>

#include <fcntl.h>
#include <sys/types.h>

#include "core/seam/space.h"
#include "os/open_task.h"
#include "os/process_memory.h"
#include "process/file.h"

namespace stack9::remote {

// Threads may use it at the same time.
class kept_memory final : public process::attachment {
public:
	// Opens it by way of a thread of the process, unless that is done.  The
	// number is that of the space's snapshot: after execve(2) a process has
	// other mappings, and another memory.  False: it cannot be opened.
	bool
	begin_walk(std::uint64_t number, const stack9_thread &who) noexcept
	{
		const std::lock_guard hold(lock_);
		if (!memory_ || number_ != number)
			open(number, who);
		known_.begin();
		return static_cast<bool>(memory_);
	}
	// As process_memory's.
	ssize_t
	read_present(std::uintptr_t from, void *to, std::size_t size) noexcept
	{
		std::shared_ptr<const process_memory> of;
		std::size_t there = 0;
		{
			const std::lock_guard hold(lock_);
			of = memory_;
			if (of != nullptr)
				there = of->present(from, size, known_);
		}
		if (of != nullptr)
			return of->read_part(from, to, size, there);
		errno = EIO;
		return -1;
	}

private:
	void
	open(std::uint64_t number, const stack9_thread &who) noexcept
	try {
		unique_fd task;
		memory_.reset();
		known_.clear();
		number_ = number;
		if (open_task(who.tid, who.start, task) != 0)
			return;
		unique_fd memory(openat(task.get(), "mem", O_RDONLY |
		    O_CLOEXEC)), pages(openat(task.get(), "pagemap", O_RDONLY |
		    O_CLOEXEC));
		if (memory && pages)
			memory_ = std::make_shared<const process_memory>(
			    std::move(memory), std::move(pages));
	} catch (const std::bad_alloc &) {
	}

	std::mutex	lock_;
	std::shared_ptr<const process_memory> memory_;
	present_pages	known_;
	std::uint64_t	number_ = 0;
};

} // namespace stack9::remote
