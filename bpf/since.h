// Works out how long a thread is in its state from the scheduler's numbers.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "state_record.h"

namespace stack9::bpf {

// Gives the scheduler's first clock (struct s9_times) at a moment of
// CLOCK_BOOTTIME.  The clock of each CPU that a pass meets is a moment old, so
// the one that is most ahead is right.
class scheduler_clock {
public:
	// A CPU's clock, as it was read at this moment; 0: it was not.
	void	add(std::uint64_t clock, std::uint64_t boot_ns) noexcept;
	// 0: it is not known.
	std::uint64_t	at(std::uint64_t boot_ns) const noexcept;

private:
	std::int64_t	ahead_ = 0;
	bool		is_known_ = false;
};

// At least and at most so long; 0 and 0: it is not known.
struct time_span {
	std::uint64_t	least, most;
};

// now: by the first clock.  A thread that is neither on a CPU nor asleep waits
// for a CPU.
time_span time_in_state(const s9_times &, bool on_cpu, bool asleep,
    std::uint64_t now) noexcept;

} // namespace stack9::bpf
