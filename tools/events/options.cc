// Converts the options into those of a watch, and into words.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include <fmt/format.h>

#include "tools/lib/proc.h"

namespace events {
namespace {

// Adds the name that a process or a thread has now, if it has one.
std::string
with_name(const char *what, pid_t id)
{
	if (id == 0)
		return {};
	const std::string name = tools::read_file(
	    fmt::format("/proc/{}/comm", id));
	return fmt::format("{} {}", what, id) +
	    (name.empty() ? "" : " (" + name + ")");
}

// Each process has a ring of its own.
constexpr std::size_t ring_of_several = 4 << 20;

const char *
or_null(const std::string &s)
{
	return s.empty() ? nullptr : s.c_str();
}

} // namespace

std::string
options::filter() const
{
	std::string all;
	const auto add = [&](const std::string &what) {
		if (!what.empty())
			all += (all.empty() ? "" : ", ") + what;
	};
	for (const pid_t each : pids)
		add(with_name("pid", each));
	add(children ? "their children" : "");
	add(with_name("tid", tid));
	add(comm.empty() ? "" : "threads called " + comm);
	add(cgroup.empty() ? "" : "cgroup " + cgroup);
	add(cpu.has_value() ? fmt::format("cpu {}", *cpu) : "");
	add(min_us == 0 ? "" : fmt::format("blocked {} us or longer", min_us));
	add(max_us == 0 ? "" : fmt::format("blocked {} us or shorter", max_us));
	return all;
}

stack9_watch_options
options::of_watch(stack9_watch_mode mode) const
{
	stack9_watch_options w{};
	w.size = sizeof w;
	w.mode = mode;
	// The graph of waits has no stacks.
	w.side = wakers == "graph" ? STACK9_KERNEL : sides();
	w.pid = pid;
	w.tid = tid;
	w.comm = or_null(comm);
	w.cgroup = or_null(cgroup);
	w.cpu = cpu.value_or(0);
	w.frames = frames;
	w.stacks = stacks;
	w.ring = ring != 0 || (pids.size() < 2 && !children) ? ring :
	    ring_of_several;
	w.rules = rules;
	w.limit = limit;
	w.min_ns = min_us * 1000;
	w.max_ns = max_us * 1000;
	// Our own events are left out.  Otherwise each line that is printed
	// would be an event, and be printed as well.
	w.flags = STACK9_WATCH_OTHERS |
	    (cpu.has_value() ? STACK9_WATCH_ONE_CPU : 0) |
	    (regex ? STACK9_WATCH_REGEX : 0) |
	    (by_process || names_processes ? STACK9_WATCH_BY_PROCESS : 0) |
	    (frame_pointers ? STACK9_WATCH_FRAME_POINTERS : 0) |
	    (copy ? STACK9_WATCH_COPY : 0) |
	    (native ? STACK9_WATCH_NATIVE : 0) |
	    (wakers.has_value() ? STACK9_WATCH_WAKERS : 0);
	return w;
}

} // namespace events
