// Declares a process that does not run, of which memory was kept: that of a
// core file.  Its threads have a start that no living thread has, by which
// those who read memory find it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <sys/types.h>

#include "space.h"

namespace stack9::process {
struct maps_line;
}

namespace stack9 {

class kept_process {
public:
	// Copies [from, from + size) up to the first byte that was not kept.
	// Returns the number of bytes, or -1.  Thread-safe.
	virtual ssize_t read(std::uintptr_t from, void *to, std::size_t size)
	    noexcept = 0;
	// The system call that a thread was in.  number is -1 outside of one.
	// False: it was not kept.
	virtual bool call_of(pid_t tid, std::int64_t &number,
	    std::uint64_t (&args)[6]) const noexcept = 0;
	// Calls the function with each thread, and the address that the ABI has
	// for it: fs on x86-64; 0: it was not kept.
	using pointer_fn = std::function<void(pid_t, std::uint64_t)>;
	virtual void each_pointer(const pointer_fn &) const = 0;
	// The name of the process, and the space of its mappings.
	virtual const char *comm() const noexcept = 0;
	virtual stack9_space &space() noexcept = 0;
	// Calls the function with each line that /proc/PID/maps had.
	using line_fn = std::function<void(const process::maps_line &)>;
	virtual void each_line(const line_fn &) const = 0;

	// The start of its threads.
	const std::uint64_t mark;

	kept_process(const kept_process &) = delete;
	kept_process &operator=(const kept_process &) = delete;

protected:
	// Throws std::bad_alloc.
	kept_process();
	virtual ~kept_process();
};

// Marks have this bit; the start of a living thread has not.
inline constexpr std::uint64_t kept_mark = std::uint64_t{1} << 63;

// So much memory of a process is read at once by those who read more than they
// were asked for.  A small core has pieces of pages, and is small because no
// more was read when it was made.
constexpr std::size_t
read_at_once(std::uint64_t start) noexcept
{
	return (start & kept_mark) != 0 ? 256 : 4096;
}

// NULL: the start is that of a living thread, or the process is not kept any
// more.  The space of a thread keeps its process.
kept_process *kept_process_of(std::uint64_t start) noexcept;

} // namespace stack9
