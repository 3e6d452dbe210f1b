// Captures both stacks of one thread that is named by its tid.  It uses the
// rights there are, but never for a caller who may not trace the thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>

#include "advice.h"
#include "options.h"
#include "process_space.h"
#include "stack_buffers.h"

namespace stackprint {

class capture {
public:
	// gated: the rights are borrowed, see rights.h.
	capture(const options &, bool gated, advice &);

	// The result is good until the next call.
	const stacks &of(pid_t tid);

private:
	void	capture_thread(pid_t tid);
	void	capture_gated(pid_t tid);
	void	capture_sides(const stack9_thread &);
	void	capture_user(const stack9_thread &);
	void	withhold_user();

	const options	&opt_;
	const bool	 gated_;
	advice		&advice_;
	stack_buffers	 buffers_;
	process_space	 space_;
};

} // namespace stackprint
