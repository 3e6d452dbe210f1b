// Finds the space of a process that is in use, so that stacks of one process
// share a space as long as its code stays where it is.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <mutex>
#include <unordered_map>

#include "space.h"

namespace stack9 {

// Holds no space itself: a space that nobody uses any more ends.
class shared_spaces {
public:
	// Is never destroyed, because other threads may use it while the
	// program exits.
	static shared_spaces &of_program() noexcept;

	// Gives a space that says the same as `made`, held; or `made` itself,
	// which is given to others from now on.
	stack9_space *same_or_add(stack9_space &made) noexcept;
	// The space ends.
	void forget(const stack9_space &) noexcept;

	// To be called in the child of a fork(2): it has no thread but this.
	void leave_in_child() noexcept;

private:
	std::mutex		lock_;
	std::unordered_map<pid_t, stack9_space *> by_pid_;	// the newest
};

} // namespace stack9
