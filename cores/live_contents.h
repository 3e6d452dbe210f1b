// Declares what a core of a living process would say.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <vector>

#include <stack9.h>

#include "core/seam/user_copy.h"

#include "contents.h"
#include "live_bytes.h"

namespace stack9::cores {

struct live_process {
	contents			has;
	std::unique_ptr<live_bytes>	bytes;
	std::uint32_t			lacking = 0;	// threads
};

// Captures all threads and reads what /proc says.  0; ESRCH; EPERM; EOPNOTSUPP
// with a sentence; EMFILE and the like.  Throws std::bad_alloc.
int read_live(const stack9_thread &process, live_process &to);

// The end of the part of a copied stack that its frames are in, by their
// outermost return address.
std::uint64_t end_of_frames(const user_copy &,
    const std::vector<std::uintptr_t> &pcs) noexcept;

constexpr std::size_t
word_size_of(const user_copy &copy) noexcept
{
	return copy.what == user_copy::machine::ia32 ? 4 : 8;
}

// A word of a copied stack, without marks that are not of the address.
std::uintptr_t word_at(const user_copy &, std::size_t at) noexcept;

} // namespace stack9::cores
