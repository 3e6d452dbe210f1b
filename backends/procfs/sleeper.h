// Declares a sleeping thread of any process, as /proc/TID shows it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/seam/record.h"

#include "os/posture.h"
#include "os/process_memory.h"

namespace stack9::procfs {

class sleeper {
public:
	// All return 0, or an errno with why and reason in rec.

	// Finds td, checks its start time, and fills in which thread it is.
	int open(const stack9_thread &td, stack_record &rec) noexcept;
	int read_posture(posture &, stack_record &rec) noexcept;
	// Finds out whether the thread has run since it was read to be so.
	int has_moved(const posture &, bool &moved, stack_record &rec)
	    noexcept;

	// Copies the readable part of [from, from + size), up to the first
	// hole.  Returns the number of bytes copied.
	std::size_t read_memory(std::uintptr_t from, std::byte *to,
	    std::size_t size) noexcept;

	// Why the memory cannot be read at all; 0.
	int memory_error() const noexcept { return mem_.error(); }

	// True if these are registers of a 32-bit program.
	bool is_ia32(const posture &) const noexcept;

private:
	int identify(const stack9_thread &, stack_record &) noexcept;
	int refuse_posture(int error, stack_record &) noexcept;

	proc_task	dir_;
	posture_reader	reader_;
	process_memory	mem_;
	pid_t		tid_ = 0;
	std::uint64_t	flags_ = 0;	// task_struct.flags
	std::uint64_t	arrivals_ = 0;	// before the last posture; 0: unknown
};

} // namespace stack9::procfs
