// Makes the record of a user side whose registers and stack were copied.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "core/seam/record.h"
#include "core/seam/space.h"

#include "backends/linux-events/programs/event_record.h"
#include "processes.h"
#include "stack_parts.h"

namespace stack9::events {

class copied_side {
public:
	// frames: there is room for so many from the beginning.  Throws
	// std::bad_alloc.
	explicit copied_side(std::uint32_t frames) : pcs_(frames) {}

	// Takes the copy.  It may have come in parts.  False: there is nothing
	// to be walked, and the record says why.
	bool take(const s9_event_copy &, stack_parts &, processes &,
	    seen_process *) noexcept;
	// Walks the copy, in the calling thread.  most: frames, if there are
	// more than there was room for.
	void walk(std::uint32_t most) noexcept;
	// Completes the record of a walk that has ended so.
	void end(space_walk, std::uint32_t most) noexcept;

	// True if the walk asked for more of the stack than was copied.
	bool
	is_cut() const noexcept
	{
		return rec_.why == STACK9_WHY_MEMORY ||
		    (copy_.stack.more && rec_.why == STACK9_WHY_TRUNCATED);
	}
	// Walks on by what the process has in its memory now.  The outer frames
	// may have changed since, so they are good for nothing but to learn
	// rules: these hold for a pc wherever it comes from.  The copy is of no
	// further use then.  False: nothing was added.
	bool walk_beyond(std::vector<std::uintptr_t> &, stack_record &)
	    noexcept;

	const user_copy &copy() const noexcept { return copy_; }
	stack_record &record() noexcept { return rec_; }

private:
	void walk_once() noexcept;
	bool make_room(std::uint32_t most) noexcept;
	void complete(std::uint32_t most) noexcept;

	std::vector<std::uintptr_t> pcs_, deep_;
	stack_record	rec_{};
	user_copy	copy_;
	processes	*all_ = nullptr;
	seen_process	*whose_ = nullptr;
	std::uint64_t	when_ns_ = 0;
};

// A record of a watch before anything is known, and of a side for which the
// kernel gave no frames.
stack_record blank_record(stack9_side, std::vector<std::uintptr_t> &) noexcept;
void refuse(stack_record &, int error) noexcept;

} // namespace stack9::events
