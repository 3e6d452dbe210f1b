// Tries perf_event_open(2), and says who refuses it: the kernel's setting or a
// filter.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "perf_events.h"

#include <cerrno>

namespace stack9::events {

// The kernel says EACCES to whoever lacks the right, and a filter EPERM.
verdict
try_sampling() noexcept
{
	perf_event_attr attr{};
	attr.size = sizeof attr;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.exclude_kernel = attr.exclude_hv = 1;
	if (open_event(attr, 0, -1))
		return {0, nullptr};
	switch (errno) {
	case EACCES:
		return {EPERM, "kernel.perf_event_paranoid lets nobody sample "
		    "without CAP_PERFMON"};
	case EPERM:
		return {EPERM, "a filter of system calls, as that of a "
		    "container, refuses perf_event_open(2)"};
	case EMFILE:
	case ENFILE:
		return {errno, "out of file descriptors"};
	case ENOMEM:
		return {ENOMEM, "out of memory"};
	}
	return {EOPNOTSUPP, "perf_event_open(2) does not exist here"};
}

} // namespace stack9::events
