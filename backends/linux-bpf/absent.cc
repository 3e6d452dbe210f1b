// Gone, or hidden.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "absent.h"

namespace stack9::bpf {

int
judge_absent(const stack9_thread &td, stack9_record &rec) noexcept
{
	stack9_thread now{};
	if (stack9_thread_find(td.tid, &now) != 0) {
		rec.why = STACK9_WHY_GONE;
		return ESRCH;
	}
	if (td.start != 0 && td.start != now.start) {
		rec.why = STACK9_WHY_REUSED;
		return ESRCH;
	}
	rec.reason = "it exists, but this machine hides it from BPF programs";
	return EOPNOTSUPP;
}

} // namespace stack9::bpf
