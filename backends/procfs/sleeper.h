// Reads from /proc/TID where a sleeping thread is in user mode, and whether it
// has run since.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "os/linux/proc_task.h"
#include "core/seam/record.h"

namespace stack9::procfs {

// If two of these are equal, the thread did not run in between.
struct posture {
	std::uintptr_t	sp = 0;
	std::uintptr_t	pc = 0;
	std::uint64_t	switches = 0;	// voluntary and not
	bool		running = false;	// or about to: no sp, no pc

	bool operator==(const posture &) const = default;
};

class sleeper {
public:
	// All return 0, or an errno with why and reason in rec.

	// Finds td, checks its start time, and fills in which thread it is.
	int open(const stack9_thread &td, stack_record &rec) noexcept;
	int read_posture(posture &, stack_record &rec) noexcept;

	// Copies the readable part of [from, from + size), up to the first
	// hole.  Returns the number of bytes copied.
	std::size_t read_memory(std::uintptr_t from, std::byte *to,
	    std::size_t size) noexcept;

	// True if these are registers of a 32-bit program.
	bool is_ia32(const posture &) const noexcept;

private:
	int identify(const stack9_thread &, stack_record &) noexcept;
	int read_status(posture &, stack_record &) noexcept;
	int refuse_posture(int error, stack_record &) noexcept;

	proc_task	dir_;
	proc_file	syscall_;
	proc_file	status_;
	proc_file	mem_;		// where process_vm_readv(2) is refused
	pid_t		tid_ = 0;
	std::uint64_t	flags_ = 0;	// task_struct.flags
};

} // namespace stack9::procfs
