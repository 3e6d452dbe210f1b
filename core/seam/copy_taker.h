// Declares who takes the copies of user stacks that captures make.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9 {

struct stack_record;
struct user_copy;

class copy_taker {
public:
	// A stack was walked, and has these registers and this memory.  Both
	// are valid during the call.
	virtual void take(const stack_record &, const user_copy &) noexcept =
	    0;

protected:
	~copy_taker() = default;
};

} // namespace stack9
