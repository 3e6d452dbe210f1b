// Compares the event and the unit of the profile.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "measure.h"

#include "words.h"

namespace profiles {

measure
measure_of(const profile &p)
{
	static constexpr char ns[] = "nanoseconds";
	if (p.period_ns != 0)
		return {p.event == "threads" ? "wall" : "cpu", ns, p.period_ns,
		    p.period_ns, false};
	if (!counts_events(p))
		return {"off_cpu", ns, 1, 1000, true};
	return {"events", "count", 1, 1, false};
}

} // namespace profiles
