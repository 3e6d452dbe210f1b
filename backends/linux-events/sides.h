// From what a program saw to the records of the two sides.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include <stack9.h>

#include "event_record.h"
#include "processes.h"

namespace stack9::events {

// How the stacks of a watch begin and how deep they are.
struct walked {
	std::uint32_t	frames;		// of a side, at most
	std::uint32_t	unwound;	// of one that is unwound
	bool		exact;		// with a pc, not a return address
};

// Room for both, and their contents until the next event.
class sides {
public:
	explicit sides(const walked &how);

	// Frames as the kernel walked them.
	void set_kernel(const s9_stacks &, const __u64 *pcs) noexcept;
	void set_user(const s9_stacks &, const __u64 *pcs,
	    process *) noexcept;
	// A copy, unwound.
	void set_user(const s9_event_copy &, process *) noexcept;
	// One that was unwound before.
	void set_user(const stack9_record &);

	const stack9_record &kernel() const noexcept { return kernel_; }
	const stack9_record &user() const noexcept { return user_; }

private:
	void	begin(stack9_record &, stack9_side,
		    std::vector<std::uintptr_t> &) noexcept;

	const walked	how_;
	std::vector<std::uintptr_t> kernel_pcs_, user_pcs_;
	stack9_record	kernel_{}, user_{};
	user_copy	copy_;
};

} // namespace stack9::events
