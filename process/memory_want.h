// Distinguishes a lack of memory from a damaged file.  libelf and libdw return
// the same for both, and malloc(3) leaves an errno.  An answer that was made
// for want of memory must not be kept.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <new>

namespace stack9::process {

// A thread has one at a time: each one forgets what the last one found.
class memory_want {
public:
	memory_want() noexcept { errno = 0; }
	// Returns true if an allocation has failed since.
	bool is() const noexcept { return errno == ENOMEM; }
	void
	check() const
	{
		if (is())
			throw std::bad_alloc();
	}
};

} // namespace stack9::process
