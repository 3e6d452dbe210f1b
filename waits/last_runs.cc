// Keeps what the kernel reports of the states of threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "last_runs.h"

#include <cerrno>
#include <new>

#include "core/states.h"

namespace stack9::waits {

// No exception passes through the route.  Without memory the time is not known.
int
last_runs::keep(void *arg, const stack9_state *s) noexcept
try {
	const std::uint64_t since = s->since_most_ns;
	(*static_cast<threads *>(arg))[s->thread.tid] = {s->switches,
	    since == 0 || since > s->when_ns ? 0 : s->when_ns - since,
	    s->since_ns};
	return 0;
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

last_run
last_runs::of(const blocked &w)
{
	const auto [runs, is_new] = known_.try_emplace(w.pid());
	if (is_new)
		report_states(w.pid(), keep, &runs->second);
	const auto run = runs->second.find(w.tid());
	return run == runs->second.end() ||
	    run->second.switches != w.facts->switches ? last_run{} :
	    run->second;
}

} // namespace stack9::waits
