// The interface of process/ and remote/: the mappings of a process, and what
// their files say of unwinding.  process/ defines struct stack9_space.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <stack9.h>

#include "user_copy.h"

namespace stack9 {

// 0; ESRCH; EPERM; ENOMEM, EMFILE...  out untouched on failure.
int space_open(const stack9_thread &, stack9_space *&out) noexcept;
// Of a process that has ended: text is what /proc/TID/maps had of it.
int space_of_text(const stack9_thread &, std::string_view text,
    stack9_space *&out) noexcept;
void space_hold(stack9_space &) noexcept;
void space_drop(stack9_space *) noexcept;

struct space_closer {
	void operator()(stack9_space *s) const noexcept { space_drop(s); }
};
using unique_space = std::unique_ptr<stack9_space, space_closer>;

// Looks at its mappings again, for what was mapped since.  Pointers given out
// before stay good.
int space_renew(stack9_space &) noexcept;

enum class space_walk {
	done,		// rec says how: why, reason, dropped, flags
	wants_more,	// memory that the copy lacks, and which is no file's:
			// from wanted on; rec is as far as it is
	wants_renewal,	// a pc where nothing was mapped; likewise
};

// Unwinds a copy into rec: pcs up to max, depth, dropped, flags, why, reason.
// No system call where all it needs was met before; 30 ns a frame.
// Thread-safe; allocates at first sight of a file.
space_walk walk_copy(stack9_space &, const user_copy &, stack9_record &rec,
    std::uint64_t &wanted) noexcept;

// What is mapped there.  0; ENOENT.
int space_module(stack9_space &, std::uintptr_t pc, stack9_module &) noexcept;

} // namespace stack9
