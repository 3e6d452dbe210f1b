// Keeps parts of a process's memory that names and lines are made of, because
// the process may be gone when they are asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "unwind/memory.h"

#include "memory_parts.h"

namespace stack9::languages {

// Parts of memory that were read.  No two of them begin at one address.
class kept_memory final : public unwind::memory {
public:
	bool read(std::uintptr_t from, void *to, std::size_t size)
	    noexcept override;
	// Reads a part, up to the page that cannot be read.  Throws
	// std::bad_alloc.
	void keep(unwind::memory &, std::uint64_t from, std::size_t size);
	// True if both have the same bytes of the same parts.
	bool operator==(const kept_memory &other) const
	    { return parts_ == other.parts_; }
	// How many bytes are kept.
	std::size_t bytes() const noexcept { return bytes_; }

private:
	memory_parts	parts_;
	std::size_t	bytes_ = 0;
};

} // namespace stack9::languages
