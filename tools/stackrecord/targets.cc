// Asks for processes only where filters are about processes: otherwise a pass
// over the machine says all that is needed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "targets.h"

#include <cerrno>

#include "tools/lib/selection.h"

namespace stackrecord {
namespace {

constexpr std::uint64_t find_every_ns = 1'000'000'000;

// A pass over a machine takes as long as so many over one process.
constexpr std::size_t most_passes = 40;

} // namespace

stack9_save_options
save_options(const options &o)
{
	stack9_save_options s{};
	s.size = sizeof s;
	s.flags = STACK9_SAVE_NO_STOP | STACK9_SAVE_LANGUAGES;
	s.frames = o.frames;
	return s;
}

bool
targets::has_processes() const
{
	return !opt_.pids.empty() || !opt_.cgroup.empty() ||
	    !opt_.unit.empty() || !opt_.container.empty();
}

// Names and states are asked of each sample.
int
targets::find(std::uint64_t now_ns, std::string &why)
{
	if (!has_processes() ||
	    (found_ns_ != 0 && now_ns - found_ns_ < find_every_ns))
		return 0;
	found_ns_ = now_ns;
	tools::thread_filter processes = opt_;
	processes.comm.clear();
	processes.states.clear();
	tools::selection all(processes);
	const int error = all.find(why);
	processes_ = all.processes();
	are_wanted_ = {processes_.begin(), processes_.end()};
	return error;
}

template <class Look>
int
targets::each_process(Look look) const
{
	if (!has_processes() || processes_.size() > most_passes)
		return look(nullptr);
	bool some = false;
	for (const pid_t pid : processes_) {
		const stack9_thread process{pid, pid, 0};
		const int error = look(&process);
		if (error != 0 && error != ESRCH)
			return error;
		some |= error == 0;
	}
	return some ? 0 : ESRCH;
}

int
targets::states(stack9_state_fn *fn, void *arg) const
{
	return each_process([&](const stack9_thread *process) {
		return stack9_states(process, 0, fn, arg);
	});
}

int
targets::pass(stack9_side sides, stack9_sample_fn *fn, void *arg) const
{
	const stack9_save_options o = save_options(opt_);
	return each_process([&](const stack9_thread *process) {
		return stack9_each(process, sides, &o, fn, arg);
	});
}

// This program would be on a CPU at each tick, and nobody asks why.
bool
targets::wants(const stack9_thread &td) const
{
	return td.pid != self_ &&
	    (!has_processes() || are_wanted_.count(td.pid) != 0);
}

bool
targets::wants(const stack9_sample &s) const
{
	return wants(s.thread) &&
	    opt_.thread_filter::wants(s.comm, static_cast<char>(s.state));
}

bool
targets::wants(const stack9_state &s) const
{
	return wants(s.thread) &&
	    opt_.thread_filter::wants(s.comm, static_cast<char>(s.state));
}

} // namespace stackrecord
