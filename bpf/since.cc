// Works out how long a thread is in its state.  No number of the scheduler
// says when a thread fell asleep, unless statistics are switched on; two say it
// roughly.  It has been asleep no longer than since it came onto the CPU for
// the last time: that was a short time before.  It has been asleep at least for
// as long as its CPU's second clock has run since: that clock leaves out
// interrupts and other machines.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "since.h"

#include <algorithm>

namespace stack9::bpf {
namespace {

std::uint64_t
less(std::uint64_t a, std::uint64_t b) noexcept
{
	return a > b ? a - b : 0;
}

// A time of 0 would mean that it is not known.
time_span
exactly(std::uint64_t ns) noexcept
{
	ns = std::max<std::uint64_t>(ns, 1);
	return {ns, ns};
}

time_span
time_asleep(const s9_times &t, std::uint64_t now) noexcept
{
	// A number that is older than the arrival is of an earlier sleep: the
	// statistics were switched off meanwhile.
	if (t.began != 0 && t.began >= t.arrived)
		return exactly(less(now, t.began));
	time_span s{};
	if (t.left != 0 && t.clock != 0)
		// A CPU whose clock is old has been idle since.
		s.least = less(t.clock_task, t.left) + less(now, t.clock);
	if (t.arrived == 0)
		return s;
	s.most = std::max<std::uint64_t>(less(now, t.arrived), 1);
	s.least = std::clamp<std::uint64_t>(s.least, 1, s.most);
	return s;
}

} // namespace

void
scheduler_clock::add(std::uint64_t clock, std::uint64_t boot_ns) noexcept
{
	const auto ahead = static_cast<std::int64_t>(clock - boot_ns);
	if (clock == 0)
		return;
	ahead_ = is_known_ ? std::max(ahead_, ahead) : ahead;
	is_known_ = true;
}

std::uint64_t
scheduler_clock::at(std::uint64_t boot_ns) const noexcept
{
	return is_known_ ? boot_ns + static_cast<std::uint64_t>(ahead_) : 0;
}

time_span
time_in_state(const s9_times &t, bool on_cpu, bool asleep, std::uint64_t now)
    noexcept
{
	if (now == 0)
		return {};
	if (!on_cpu && asleep)
		return time_asleep(t, now);
	const std::uint64_t since = on_cpu ? t.arrived : t.began;
	return since == 0 ? time_span{} : exactly(less(now, since));
}

} // namespace stack9::bpf
