// Captures both stacks of one thread that is named by its tid.  It uses the
// rights there are, but never for a caller who may not trace the thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>

#include "advice.h"
#include "options.h"
#include "ours.h"
#include "process_space.h"
#include "tools/lib/samples.h"

namespace stackprint {

class capture {
public:
	// gated: the rights are borrowed, see rights.h.
	capture(const options &o, bool gated, advice &a)
	    : opt_(o), gated_(gated), advice_(a), space_(gated) {}

	sample_ptr	of(pid_t tid);

private:
	sample_ptr	save(const stack9_thread &, int side,
			    stack9_space *) const;
	sample_ptr	with_kernel(const stack9_thread &,
			    const sample &user) const;
	sample_ptr	of_thread(pid_t tid);
	sample_ptr	without_user(const stack9_thread &);
	sample_ptr	of_gated(pid_t tid);

	const options	&opt_;
	const bool	 gated_;
	advice		&advice_;
	process_space	 space_;
};

// Allows ptrace(2) only, for user stacks, beside the routes that are forced
// already.  False: there is no such route.
bool stop_threads();

// The options of each capture.
stack9_save_options save_options(const options &);

} // namespace stackprint
