// Finds no thread: every question is EOPNOTSUPP.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>

#include <sys/types.h>

#include "thread_stat.h"

namespace stack9 {

inline int
look_up_thread(pid_t, pid_t &, thread_stat &) noexcept
{
	return EOPNOTSUPP;
}

inline int
look_up_thread_of(pid_t, pid_t, thread_stat &) noexcept
{
	return EOPNOTSUPP;
}

inline int
look_up_process(pid_t, thread_stat &) noexcept
{
	return EOPNOTSUPP;
}

inline int
look_up_caller(thread_stat &) noexcept
{
	return EOPNOTSUPP;
}

inline int
look_up_callers_process(thread_stat &) noexcept
{
	return EOPNOTSUPP;
}

inline bool
read_wait_channel(pid_t, pid_t, char (&)[32]) noexcept
{
	return false;
}

template <class F> void
each_process(F) noexcept
{
}

class process_threads {
public:
	int open(pid_t, thread_stat &) noexcept { return EOPNOTSUPP; }
	template <class F> void each(F) noexcept {}
	int
	look_up(pid_t, thread_stat &) const noexcept
	{
		return EOPNOTSUPP;
	}
};

} // namespace stack9
