// Keeps what a process has mapped, so that it is read once for all of its
// threads.  These come in a row.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>

#include "ours.h"
#include "tools/lib/rights.h"
#include "tools/lib/samples.h"

namespace stackprint {

class process_space {
public:
	// gated: the rights are borrowed, see rights.h.
	explicit process_space(bool gated) : gated_(gated) {}

	// Uses the caller's rights where ours are borrowed, because it reads
	// files that the caller's process has mapped.  NULL: the space could
	// not be opened; where the rights are borrowed, the user stack must not
	// be asked for then, as the library would open one with these rights.
	// The result is good until the next call.
	stack9_space *
	of(const stack9_thread &td)
	{
		if (space_ != nullptr && pid_ == td.pid)
			return space_.get();
		const lowered guard(gated_);
		stack9_space *fresh = nullptr;
		space_.reset();
		if (guard && stack9_space_open(&td, &fresh) == 0)
			space_.reset(fresh);
		pid_ = td.pid;
		return space_.get();
	}

private:
	const bool	gated_;
	unique_space	space_;
	pid_t		pid_ = 0;
};

} // namespace stackprint
