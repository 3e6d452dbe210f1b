// A pass of the task iterator.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include <sys/types.h>

#include "bpf/object.h"
#include "bpf/record.h"

namespace stack9::bpf {

object &tasks_object() noexcept;

// A link says what a kind of pass is to be about: a tid, a pid (0: any), as far
// as the kernel restricts it; passes are opened from it.  An errno.
int open_link(object &, pid_t tid, pid_t pid, unique_fd &link) noexcept;
int open_pass(const unique_fd &link, unique_fd &pass) noexcept;

// One pass over the tasks, or over those that the kernel's own filter leaves.
class task_pass {
public:
	// tid, pid: the kernel's filter; 0: none.  Before 6.1 the kernel
	// ignores tid, see honours_filter().
	int open(pid_t tid, pid_t pid) noexcept;

	// The next records of threads with this tid and pid (0: any), by one
	// read(2) under the capture lock.  0 and *n == 0 at the end.  The
	// kernel gathers eight pages of records at a time and does not mind
	// that the last one is cut where the buffer ends: its rest comes first
	// next time.
	int read(pid_t tid, pid_t pid, void *buffer, std::size_t size,
	    std::size_t &n) noexcept;

	// Threads that the last read(2) came by, wanted or not.
	std::uint64_t visited() const noexcept { return visited_; }

private:
	unique_fd	 pass_;
	s9_wanted	*wanted_ = nullptr;
	std::uint64_t	 visited_ = 0;
};

// 0 if the kernel restricts a pass to a tid; EOPNOTSUPP; or why it cannot be
// said just now.  Probed by a pass restricted to the caller.
int honours_filter() noexcept;

} // namespace stack9::bpf
