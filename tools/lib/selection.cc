// Asks /proc and the cgroups.  Filters join: a thread has to pass each of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "selection.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "cgroups.h"
#include "proc.h"

namespace tools {
namespace {

// A pass over a machine of 5,000 threads takes as long as some forty passes
// over one process.
constexpr std::size_t most_passes = 40;

} // namespace

bool
selection::may_have_wanted(pid_t pid) const
{
	if (filter_.comm.empty() && filter_.states.empty())
		return true;
	const std::vector<pid_t> tids =
	    numbers_in(fmt::format("/proc/{}/task", pid));
	return std::any_of(tids.begin(), tids.end(), [&](pid_t tid) {
		return wants(pid, tid);
	});
}

int
selection::find(std::string &why)
{
	std::unordered_set<pid_t> in_cgroup;
	if (!filter_.cgroup.empty())
		if (const int error = processes_of_cgroup(
		    cgroup_directory(filter_.cgroup), in_cgroup); error != 0) {
			why = fmt::format("--cgroup {}: {}", filter_.cgroup,
			    error == ENOENT ? "no cgroup: it has no file "
			    "cgroup.procs" : std::strerror(error));
			return error;
		}
	const std::vector<pid_t> all = filter_.pids.empty() ?
	    numbers_in("/proc") : filter_.children ?
	    with_children(filter_.pids) : filter_.pids;
	for (const pid_t pid : all)
		if ((filter_.cgroup.empty() || in_cgroup.count(pid) != 0) &&
		    (filter_.unit.empty() || is_in_unit(pid, filter_.unit)) &&
		    (filter_.container.empty() ||
		    is_in_container(pid, filter_.container)) &&
		    (!filter_.pids.empty() || may_have_wanted(pid)) &&
		    is_found_.insert(pid).second)
			found_.push_back(pid);
	if (!found_.empty())
		return 0;
	why = "no thread passes " + filter_.text() +
	    (filter_.container.empty() ? "" : short_id_hint(filter_.container));
	return ESRCH;
}

bool
selection::is_machine() const
{
	return filter_.pids.empty() && !one_by_one_ &&
	    found_.size() > most_passes;
}

bool
selection::wants(pid_t pid, const std::string &comm, char state) const
{
	return (!is_machine() || is_found_.count(pid) != 0) &&
	    filter_.wants(comm, state);
}

bool
selection::wants(pid_t pid, pid_t tid) const
{
	stat_facts f;
	return (filter_.comm.empty() && filter_.states.empty()) ||
	    (read_stat(pid, tid, f) && filter_.wants(f.comm, f.state));
}

} // namespace tools
