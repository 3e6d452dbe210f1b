// Declares what the core needs of process/ and remote/: the mappings of a
// process, and walks by the unwind information of the mapped files.  process/
// defines struct stack9_space.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <stack9.h>

#include "user_copy.h"

namespace stack9 {

// 0; ESRCH; EPERM; ENOMEM, EMFILE and the like.  out is untouched on failure.
int space_open(const stack9_thread &, stack9_space *&out) noexcept;
// Opens the space of a process that has ended.  text is what its
// /proc/TID/maps held.
int space_of_text(const stack9_thread &, std::string_view text,
    stack9_space *&out) noexcept;
void space_hold(stack9_space &) noexcept;
void space_drop(stack9_space *) noexcept;

struct space_closer {
	void operator()(stack9_space *s) const noexcept { space_drop(s); }
};
using unique_space = std::unique_ptr<stack9_space, space_closer>;

// Reads the mappings again, to find what was mapped since.  Pointers that were
// given out before stay valid.
int space_renew(stack9_space &) noexcept;

enum class space_walk {
	// The walk has ended.  why, reason, dropped and flags say how.
	done,
	// The walk needs memory from `wanted` on, which the copy lacks and no
	// file has.  rec has the frames up to there.
	wants_more,
	// The walk met a pc where nothing was mapped.  rec has the frames up to
	// there.
	wants_renewal,
};

// Unwinds a copy into rec: pcs up to max, depth, dropped, flags, why, reason.
// A frame costs 30 ns, without a system call, if its file was met before.
// Thread-safe; allocates when it first meets a file.
space_walk walk_copy(stack9_space &, const user_copy &, stack9_record &rec,
    std::uint64_t &wanted) noexcept;

// Says what is mapped at pc.  0; ENOENT.
int space_module(stack9_space &, std::uintptr_t pc, stack9_module &) noexcept;

} // namespace stack9
