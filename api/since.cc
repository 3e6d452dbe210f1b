// Looks at the states of threads once, and compares samples with them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "since.h"

#include <cerrno>
#include <new>

#include "core/states.h"

namespace stack9 {

int
since_table::keep(void *arg, const stack9_state *s) noexcept
try {
	if (s->since_ns != 0)
		static_cast<since_table *>(arg)->by_tid_[s->thread.tid] = {
		    s->thread.start, s->switches, s->when_ns, s->since_ns};
	return 0;
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

int
since_table::look(pid_t pid)
{
	const int error = report_states(pid, keep, this);
	return error == ECANCELED ? ENOMEM : error;
}

void
since_table::set(stack9_sample &s) const noexcept
{
	const auto it = by_tid_.find(s.thread.tid);
	s.since_ns = it == by_tid_.end() || s.switches == 0 ||
	    it->second.switches != s.switches ||
	    it->second.start != s.thread.start ||
	    s.when_ns < it->second.when_ns ? 0 :
	    it->second.since_ns + (s.when_ns - it->second.when_ns);
}

} // namespace stack9
