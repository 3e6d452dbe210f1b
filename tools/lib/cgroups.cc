// Reads cgroup.procs of directories and /proc/PID/cgroup of processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cgroups.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

namespace stackprint {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t shortest_id = 6;

bool
ends_with(std::string_view text, std::string_view end)
{
	return text.size() >= end.size() &&
	    text.substr(text.size() - end.size()) == end;
}

bool
add_processes(const fs::path &dir, std::unordered_set<pid_t> &all)
{
	std::ifstream list(dir / "cgroup.procs");
	for (pid_t pid; list >> pid;)
		all.insert(pid);
	return list.eof();
}

// Calls is_it with each folder's name in the paths of a process's cgroups.
template <class Test>
bool
any_folder(pid_t pid, Test is_it)
{
	std::ifstream list(fmt::format("/proc/{}/cgroup", pid));
	for (std::string line; std::getline(list, line);) {
		// 4:memory:/system.slice/nginx.service
		auto at = line.find('/');
		while (at != line.npos) {
			const auto end = line.find('/', at + 1);
			if (is_it(std::string_view(line).substr(at + 1,
			    end == line.npos ? end : end - at - 1)))
				return true;
			at = end;
		}
	}
	return false;
}

bool
is_beginning_of_id(std::string_view id, std::string_view whole)
{
	return id.size() >= shortest_id && whole.substr(0, id.size()) == id &&
	    whole.find_first_not_of("0123456789abcdef") == whole.npos;
}

// docker-ID.scope, libpod-ID.scope, cri-containerd-ID.scope, ID,
// lxc.payload.ID, machine-ID.scope, systemd-nspawn@ID.service.  Podman's own
// process is beside its container, in libpod-conmon-ID.scope.
bool
is_container(std::string_view folder, std::string_view id)
{
	for (const std::string_view suffix : {".scope", ".service"})
		if (ends_with(folder, suffix))
			folder.remove_suffix(suffix.size());
	if (folder.find("conmon-") != folder.npos)
		return false;
	if (folder == id || folder == fmt::format("lxc.payload.{}", id))
		return true;
	const std::string_view last =
	    folder.substr(folder.find_last_of("-@") + 1);
	return last == id || is_beginning_of_id(id, last);
}

} // namespace

int
processes_of_cgroup(const std::string &dir, std::unordered_set<pid_t> &all)
{
	std::error_code error;
	if (!add_processes(dir, all))
		return access((dir + "/cgroup.procs").c_str(), F_OK) == 0 ?
		    EACCES : ENOENT;
	for (fs::recursive_directory_iterator at(dir,
	    fs::directory_options::skip_permission_denied, error), end;
	    !error && at != end; at.increment(error))
		if (at->is_directory(error))
			add_processes(at->path(), all);
	return 0;
}

bool
is_in_unit(pid_t pid, const std::string &name)
{
	const std::string unit = name.find('.') == name.npos ?
	    name + ".service" : name;
	return any_folder(pid, [&](std::string_view f) { return f == unit; });
}

bool
is_in_container(pid_t pid, const std::string &id)
{
	return any_folder(pid, [&](std::string_view f) {
		return is_container(f, id);
	});
}

} // namespace stackprint
