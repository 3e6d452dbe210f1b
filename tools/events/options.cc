// Converts the options into the library's filter and parameters.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

namespace events {
namespace {

const char *
or_null(const std::string &s)
{
	return s.empty() ? nullptr : s.c_str();
}

} // namespace

stack9_filter
options::filter() const
{
	stack9_filter f{};
	f.pid = pid;
	f.tid = tid;
	f.comm = or_null(comm);
	f.cgroup = or_null(cgroup);
	// Our own events are left out: each line that is printed would be an
	// event, which would be printed again.
	f.flags = STACK9_OTHERS | (cpu.has_value() ? STACK9_ONE_CPU : 0) |
	    (regex ? STACK9_REGEX : 0);
	f.cpu = cpu.value_or(0);
	f.limit = limit;
	f.min_ns = min_us * 1000;
	f.max_ns = max_us * 1000;
	return f;
}

stack9_sink
options::sink(stack9_sink_kind what, stack9_sample_fn *fn, void *arg) const
{
	stack9_sink s{};
	s.what = what;
	s.side = sides();
	s.flags = (by_process ? STACK9_BY_PROCESS : 0) |
	    (frame_pointers ? STACK9_BY_FRAME_POINTERS : 0);
	if (stackid.has_value())
		s.flags |= STACK9_STACKID |
		    (*stackid == "fast" ? STACK9_STACKID_FAST : 0) |
		    (*stackid == "reuse" ? STACK9_STACKID_REUSE : 0);
	s.frames = frames;
	s.stacks = stacks;
	s.ring = ring;
	s.fn = fn;
	s.arg = arg;
	return s;
}

} // namespace events
