// Reads memory of a process, or of its core, many places at a time and in their
// order.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <sys/types.h>

#include "core/seam/kept_process.h"
#include "os/process_memory.h"
#include "process/maps_line.h"

namespace stack9::coroutines {

// A stretch of memory.
struct region {
	std::uint64_t	start, end;
};

// The data of a program or library: what it has in its file, and what may
// follow it and was 0 at first.
struct data_region {
	std::uint64_t	start, file_end, end;
};

// A place to read, and where to.
struct wanted {
	std::uint64_t	at;
	void		*to;
	std::size_t	size;
};

class memory {
public:
	explicit memory(const stack9_thread &process) noexcept
	    : from_(process.pid), kept_(kept_process_of(process.start)) {}

	// Notes what is mapped, by ascending address.
	void add(const process::maps_line &);
	const std::vector<data_region> &data() const noexcept
	    { return data_; }
	// Returns true if bytes are in memory that the program may have
	// allocated.
	bool may_be_heap(std::uint64_t at, std::uint64_t size = 1) const
	    noexcept { return is_in(heap_, at, size); }
	bool is_code(std::uint64_t at) const noexcept
	    { return is_in(code_, at, 1); }

	// 0; or why nothing can be read: EPERM, ESRCH.
	int probe() const noexcept;
	// Reads all bytes or says false.
	bool read(std::uint64_t at, void *to, std::size_t size) const noexcept;
	// Reads the first bytes, and returns how many there are.
	std::size_t read_some(std::uint64_t at, void *to, std::size_t size)
	    const noexcept;
	// Reads one place after the other, each of them whole.  Returns how
	// many were read before one could not be.
	std::size_t read_all(std::span<const wanted>) const noexcept;

	// Returns true if a read of what was mapped gave nothing: nobody gave
	// the page, or it was unmapped meanwhile.
	bool has_failed() const noexcept { return failed_; }

	// The most places that are worth to be read together.
	static constexpr std::size_t at_once = 1024;

private:
	void add_data(const process::maps_line &);
	static bool is_in(const std::vector<region> &, std::uint64_t at,
	    std::uint64_t size) noexcept;

	const process_memory	from_;
	kept_process		*const kept_;	// of a core; or NULL
	bool			far_ = false;	// a file has a server
	mutable bool		failed_ = false;
	std::vector<data_region> data_;
	std::vector<region>	heap_, code_;
};

} // namespace stack9::coroutines
