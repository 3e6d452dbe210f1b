// Turns the stacks of an event into the records of its two sides.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "core/seam/record.h"
#include "core/seam/written.h"

#include "backends/linux-events/programs/event_record.h"
#include "processes.h"

namespace stack9::events {

// The depth and the beginning of a watch's stacks.
struct stack_form {
	std::uint32_t	frames;		// of a side, at most
	std::uint32_t	unwound;	// of a side that is unwound
	bool		exact;		// begins with a pc, no return address
};

// Holds both records until the next event.
class sides {
public:
	explicit sides(const stack_form &form);

	// Sets a side from frames that the kernel walked.
	void set_kernel(const s9_stacks &, const __u64 *pcs) noexcept;
	void set_user(const s9_stacks &, const __u64 *pcs,
	    seen_process *) noexcept;
	// Sets a user side that was unwound before.
	void set_user(const stack_record &);

	// A place for the frames of runtimes on the user side.
	written_stack	written;

	const stack_record &kernel() const noexcept { return kernel_; }
	const stack_record &user() const noexcept { return user_; }

private:
	const stack_form form_;
	std::vector<std::uintptr_t> kernel_pcs_, user_pcs_;
	stack_record	kernel_{}, user_{};
};

} // namespace stack9::events
