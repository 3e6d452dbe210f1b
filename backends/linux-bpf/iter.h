// Opens and reads passes of the task iterator.
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

// Opens a link, from which passes are opened.  It restricts passes to a tid and
// a pid (0: any), as far as the kernel can.  0, or an errno.
int open_link(object &, pid_t tid, pid_t pid, unique_fd &link) noexcept;
int open_pass(const unique_fd &link, unique_fd &pass) noexcept;

// The threads that a restricted pass shows, as far as is known.
enum class shows { unknown, nothing, any_thread, wanted_threads };

// One pass over all tasks, or over those that the kernel's own filter leaves.
class task_pass {
public:
	// tid, pid: the kernel's filter; 0: none.  A kernel before 6.1 ignores
	// tid; see honours_filter.
	int open(pid_t tid, pid_t pid) noexcept;

	// Reads the next records of threads with this tid and pid (0: any), by
	// one read(2) under the capture lock.  0 and n == 0 at the end.  EIO or
	// another errno: the pass fails.  The
	// kernel gathers eight pages of records at a time.  The last record may
	// be cut at the end of the buffer; its rest comes first next time.
	int read(pid_t tid, pid_t pid, void *buffer, std::size_t size,
	    std::size_t &n) noexcept;

	// The number of threads that the last read(2) visited, wanted or not.
	std::uint64_t visited() const noexcept { return visited_; }

private:
	unique_fd	 pass_;
	s9_wanted	*wanted_ = nullptr;
	std::uint64_t	 visited_ = 0;
};

// Loads the program and lets it show the calling thread: a kernel may load the
// program and run it, and yet show nothing.  honours_filter: whether the kernel
// restricts a pass to a tid.
verdict trust_passes(bool &honours_filter) noexcept;

} // namespace stack9::bpf
