// Declares what the reading of a file needs from outside: further files, and
// memory of a process.  A process without rights asks another one for it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include <stack9.h>

#include "os/unique_fd.h"

namespace stack9 {

class outside {
public:
	// Memory of the process whose stack is walked or named, all bytes or
	// none.
	virtual bool read_memory(std::uintptr_t from, void *to,
	    std::size_t size) noexcept = 0;
	// A part of that memory, and where it goes; is_read: all bytes of it.
	struct part {
		std::uint64_t	from;
		std::uint32_t	size;
		bool		is_read;
		std::byte	*to;
	};
	// Reads many parts at once, each of them whole or not at all.
	virtual void read_parts(std::span<part>) noexcept = 0;
	// Forgets what it may have kept of that memory, so that it is read
	// again.
	virtual void forget() noexcept = 0;
	// A regular file that has this name here and is an ELF file.  0;
	// EINVAL: it is not regular; ENOENT and the like.
	virtual int open_elf(const char *path, unique_fd &) noexcept = 0;
	// The perf map of the process, if its owner is believed; inner is the
	// process's pid in its own namespace.  No file: there is none.
	virtual unique_fd open_perf_map(pid_t &inner) noexcept = 0;
	// As debuginfod_find_debuginfo(3).
	virtual unique_fd fetch(std::span<const unsigned char> build_id)
	    noexcept = 0;

protected:
	~outside() = default;
};

// NULL: this process gets all that by itself.
inline constinit std::atomic<outside *> the_outside{nullptr};

} // namespace stack9
