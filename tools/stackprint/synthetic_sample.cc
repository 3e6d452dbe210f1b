// Makes samples by hand.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "synthetic_sample.h"

#include <cerrno>

#include "tools/lib/proc.h"

namespace stackprint {

sample_ptr
synthetic_sample(const stack9_thread &td, int sides, int error, int why,
    const char *reason, const char *route)
{
	const auto made = std::make_shared<sample>();
	made->thread = td;
	introduce(*made);
	if ((sides & STACK9_KERNEL) != 0)
		made->kernel = without_frames(STACK9_KERNEL, error, why,
		    reason, route);
	if ((sides & STACK9_USER) != 0)
		made->user = without_frames(STACK9_USER, error, why, reason,
		    route);
	return made;
}

sample_ptr
withheld_sample(const stack9_thread &td, int sides, int error, advice &a)
{
	if (error != EPERM && error != EOPNOTSUPP)
		return synthetic_sample(td, sides, ESRCH, STACK9_WHY_GONE,
		    nullptr);
	a.not_yours();
	return synthetic_sample(td, sides, EPERM, STACK9_WHY_RIGHTS,
	    error == EPERM ? "not yours: ptrace would be refused too" :
	    "not shown: this kernel has no /proc/TID/syscall to ask whether "
	    "it is yours");
}

} // namespace stackprint
