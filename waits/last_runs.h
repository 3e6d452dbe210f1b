// Finds when threads came onto a CPU for the last time.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>

#include <stack9_waits.h>

#include "blocked.h"

namespace stack9::waits {

struct last_run {
	std::uint64_t	switches = 0;
	std::uint64_t	began_ns = 0;	// CLOCK_BOOTTIME, at the earliest
	std::uint64_t	since_ns = 0;	// it has been in its state, at least
};

// Asks once for each process.
class last_runs {
public:
	// Zeros if that is not known, or if the thread was switched since the
	// first reading.
	last_run	of(const blocked &);

private:
	using threads = std::map<pid_t, last_run>;
	static int	keep(void *arg, const stack9_state *) noexcept;

	std::map<pid_t, threads> known_;
};

} // namespace stack9::waits
