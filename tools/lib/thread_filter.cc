// Describes filters in the words of stackcount and stacksnoop.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "thread_filter.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cgroups.h"
#include "command_line.h"

namespace tools {
namespace {

constexpr std::size_t longest_comm = 15;	// TASK_COMM_LEN - 1

std::string
state_letters(const std::string &s)
{
	const bool good = !s.empty() &&
	    s.find_first_not_of("RSDTtXZPI") == std::string::npos;
	return good ? std::string() :
	    "not letters of /proc/TID/stat (RSDTtXZPI): " + s;
}

// /sys/fs/cgroup/system.slice and /system.slice are the same.
bool
is_below(const std::string &path, std::string dir)
{
	constexpr std::string_view top = "/sys/fs/cgroup";
	if (dir.starts_with(top))
		dir.erase(0, top.size());
	while (dir.ends_with("/"))
		dir.pop_back();
	return path.starts_with(dir) && (path.size() == dir.size() ||
	    path[dir.size()] == '/');
}

} // namespace

// Readers disagree about 010.
std::string
decimal(const std::string &s)
{
	const bool good = !s.empty() && s[0] != '0' &&
	    s.find_first_not_of("0123456789") == std::string::npos;
	return good ? std::string() : "not a positive number: " + s;
}

std::string
id_error(const std::string &s, const char *what, const std::string &by_name)
{
	const bool is_word = s.find_first_not_of("0123456789") != s.npos;
	return is_word ? fmt::format("not a {} id: {}; by a name: {}-p $(pgrep "
	    "-d, {})", what, s, by_name, s) : decimal(s);
}

std::string
process_id(const std::string &s)
{
	return id_error(s, "process", "");
}

bool
thread_filter::wants(const std::string &name, char state) const
{
	return (comm.empty() || name == comm.substr(0, longest_comm)) &&
	    (states.empty() || states.find(state) != states.npos);
}

bool
thread_filter::wants(pid_t pid, const std::string &path) const
{
	return (pids.empty() ||
	    std::find(pids.begin(), pids.end(), pid) != pids.end()) &&
	    (cgroup.empty() || is_below(path, cgroup)) &&
	    (unit.empty() || is_path_of_unit(path, unit)) &&
	    (container.empty() || is_path_of_container(path, container));
}

std::string
thread_filter::text() const
{
	std::string all;
	for (const auto &[option, value] : {
	    std::pair<const char *, const std::string &>
	    {"--comm", comm}, {"--state", states}, {"--cgroup", cgroup},
	    {"--unit", unit}, {"--container", container}})
		if (!value.empty())
			all += (all.empty() ? "" : " and ") +
			    fmt::format("{} {}", option, value);
	return all;
}

void
describe_processes(command_line &line, thread_filter &f)
{
	line.values("--pid", f.pids, process_id);
	line.flag("--children", f.children);
}

void
describe_filters(command_line &line, thread_filter &f)
{
	line.value("--comm", f.comm);
	line.value("--state", f.states, state_letters);
	line.value("--cgroup", f.cgroup);
	line.value("--unit", f.unit);
	line.value("--container", f.container);
}

} // namespace tools
