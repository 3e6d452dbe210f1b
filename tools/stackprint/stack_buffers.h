// Holds the buffers for both stacks of one thread, and fills them in where
// nothing was captured.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>

#include <stack9.h>

#include "advice.h"
#include "options.h"
#include "tools/lib/stacks.h"

namespace stackprint {

class stack_buffers {
public:
	explicit stack_buffers(const options &);
	stack_buffers(const stack_buffers &) = delete;
	stack_buffers &operator=(const stack_buffers &) = delete;

	// Starts a thread of which nothing is known yet.
	void	clear(pid_t tid);

	// Names the thread in both records.
	void	belongs_to(const stack9_thread &);
	void	fail(int error, stack9_why, const char *reason);
	// Marks both stacks as refused, for the error that gate::ask() gave.
	void	withhold(int error, advice &);

	stack9_record	 kernel{}, user{};
	const stacks	 asked_for;

private:
	const unsigned int	 depth_;
	const std::unique_ptr<std::uintptr_t[]> pcs_;
	const std::unique_ptr<char[]>	text_;
};

} // namespace stackprint
