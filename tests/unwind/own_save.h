// Captures the calling thread's own stack by the public call, into a record
// that tests compare.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>

#include "core/seam/record.h"

namespace own {

// Inline, so that the frame of the test is the first one.
[[gnu::always_inline]] inline int
save_self(stack9::stack_record *rec)
{
	if (rec == nullptr)
		return EINVAL;
	stack9_self self{sizeof self, 0, 0, 0, 0, 0};
	const int error = stack9_save_self(rec->pcs, rec->max, 0, &self);
	rec->depth = self.depth;
	rec->dropped = self.dropped;
	rec->flags = self.flags;
	rec->why = static_cast<stack9_why>(self.why);
	rec->reason = error == 0 && self.why != 0 ?
	    stack9_why_text(self.why) : nullptr;
	return rec->error = error;
}

} // namespace own
