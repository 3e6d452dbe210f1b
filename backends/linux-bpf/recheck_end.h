// Rechecks a stack whose end is not a known root.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

#include "bpf/record.h"

namespace stack9::bpf {

// If rec's stack ends at no known root, takes a second sample by
// again(s9_record &).  That returns 0 or an errno.  If the thread has not run
// at all between the samples and both end alike, the kernel's unwinder cannot
// go further: 0, with a reason.  If not, the first sample was torn: EAGAIN.
template <typename Again>
int
recheck_end(const s9_record &first, stack_record &rec, Again again) noexcept
{
	if (rec.why != STACK9_WHY_UNWIND)
		return 0;
	s9_record second;
	if (again(second) == 0 && !second.on_cpu && !second.on_cpu_after &&
	    second.start_ns == first.start_ns &&
	    second.bytes == first.bytes &&
	    second.switches == first.switches &&
	    second.switches_after == first.switches) {
		if (rec.reason == nullptr)
			rec.reason = "the kernel's unwinder stopped at the "
			    "last frame";
		return 0;
	}
	rec.why = STACK9_WHY_TORN;
	return EAGAIN;
}

} // namespace stack9::bpf
