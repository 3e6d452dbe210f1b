// Asks /proc and the cgroups.  Filters join: a thread has to pass each of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "selection.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "tools/lib/cgroups.h"
#include "tools/lib/proc.h"

namespace stackprint {
namespace {

// A pass over a machine of 5,000 threads takes as long as some forty passes
// over one process.
constexpr std::size_t most_passes = 40;
constexpr std::size_t longest_comm = 15;	// TASK_COMM_LEN - 1

} // namespace

// Children come behind their parents.
void
selection::add_children(std::vector<pid_t> &all) const
{
	std::multimap<pid_t, pid_t> children;
	for (const pid_t pid : numbers_in("/proc"))
		if (stat_facts f; read_stat(pid, 0, f))
			children.emplace(f.parent, pid);
	for (std::size_t i = 0; i < all.size(); i++) {
		const auto [first, last] = children.equal_range(all[i]);
		for (auto c = first; c != last; c++)
			if (std::find(all.begin(), all.end(), c->second) ==
			    all.end())
				all.push_back(c->second);
	}
}

bool
selection::may_have_wanted(pid_t pid) const
{
	if (opt_.comm.empty() && opt_.states.empty())
		return true;
	const std::vector<pid_t> tids =
	    numbers_in(fmt::format("/proc/{}/task", pid));
	return std::any_of(tids.begin(), tids.end(), [&](pid_t tid) {
		return wants(pid, tid);
	});
}

std::string
selection::filters() const
{
	std::string text;
	for (const auto &[option, value] : {
	    std::pair<const char *, const std::string &>
	    {"--comm", opt_.comm}, {"--state", opt_.states},
	    {"--cgroup", opt_.cgroup}, {"--unit", opt_.unit},
	    {"--container", opt_.container}})
		if (!value.empty())
			text += (text.empty() ? "" : " and ") +
			    fmt::format("{} {}", option, value);
	return text;
}

int
selection::find(std::string &why)
{
	std::unordered_set<pid_t> in_cgroup;
	if (!opt_.cgroup.empty())
		if (const int error = processes_of_cgroup(opt_.cgroup,
		    in_cgroup); error != 0) {
			why = fmt::format("--cgroup {}: {}", opt_.cgroup,
			    error == ENOENT ? "no cgroup: it has no file "
			    "cgroup.procs" : std::strerror(error));
			return error;
		}
	std::vector<pid_t> all = opt_.pids.empty() ?
	    numbers_in("/proc") : opt_.pids;
	if (opt_.children)
		add_children(all);
	for (const pid_t pid : all)
		if ((opt_.cgroup.empty() || in_cgroup.count(pid) != 0) &&
		    (opt_.unit.empty() || is_in_unit(pid, opt_.unit)) &&
		    (opt_.container.empty() ||
		    is_in_container(pid, opt_.container)) &&
		    (!opt_.pids.empty() || may_have_wanted(pid)) &&
		    is_found_.insert(pid).second)
			found_.push_back(pid);
	if (!found_.empty())
		return 0;
	why = "no thread passes " + filters();
	return ESRCH;
}

bool
selection::is_machine() const
{
	return opt_.pids.empty() && !opt_.stop && found_.size() > most_passes;
}

bool
selection::wants(const std::string &comm, char state) const
{
	return (opt_.comm.empty() ||
	    comm == opt_.comm.substr(0, longest_comm)) &&
	    (opt_.states.empty() || opt_.states.find(state) !=
	    opt_.states.npos);
}

bool
selection::wants(const stack9_sample &s) const
{
	return (!is_machine() || is_found_.count(s.thread.pid) != 0) &&
	    wants(s.comm, static_cast<char>(s.state));
}

bool
selection::wants(pid_t pid, pid_t tid) const
{
	stat_facts f;
	return (opt_.comm.empty() && opt_.states.empty()) ||
	    (read_stat(pid, tid, f) && wants(f.comm, f.state));
}

} // namespace stackprint
