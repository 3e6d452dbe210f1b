// One thread that is named by its tid: both of its stacks, with the rights
// there are, and for no caller who might not have traced it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include <stack9.h>

#include "advice.h"
#include "options.h"
#include "stacks.h"

namespace stackprint {

class capture {
public:
	// gated: the rights are borrowed, see rights.h.
	capture(const options &, bool gated, advice &);

	// Good until the next.
	const stacks &of(pid_t tid);

private:
	void	clear(pid_t tid);
	void	take(pid_t tid);
	void	take_gated(pid_t tid);
	void	take_sides(const stack9_thread &);
	void	take_user(const stack9_thread &);
	void	fail_all(int error, stack9_why, const char *reason);
	stack9_space	*space_of(const stack9_thread &);

	const options	&opt_;
	const bool	 gated_;
	advice		&advice_;
	const std::unique_ptr<std::uintptr_t[]> pcs_;
	const std::unique_ptr<char[]>	text_;
	stack9_record	 kernel_{}, user_{};
	const stacks	 both_;
	// Threads of a process come in a row.
	unique_space	 space_;
	pid_t		 space_pid_ = 0;
};

} // namespace stackprint
