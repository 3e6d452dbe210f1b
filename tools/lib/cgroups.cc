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
#include <unistd.h>

namespace tools {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t shortest_id = 6;

bool
add_processes(const fs::path &dir, std::unordered_set<pid_t> &all)
{
	std::ifstream list(dir / "cgroup.procs");
	for (pid_t pid; list >> pid;)
		all.insert(pid);
	return list.eof();
}

// Calls is_it with the name of each folder in a path.
template <class Test>
bool
any_folder_of(std::string_view path, Test is_it)
{
	for (auto at = path.find('/'); at != path.npos;) {
		const auto end = path.find('/', at + 1);
		if (is_it(path.substr(at + 1, end == path.npos ? end :
		    end - at - 1)))
			return true;
		at = end;
	}
	return false;
}

// Calls is_it with each folder's name in the paths of a process's cgroups:
// lines such as 4:memory:/system.slice/nginx.service.
template <class Test>
bool
any_folder(pid_t pid, Test is_it)
{
	std::ifstream list(fmt::format("/proc/{}/cgroup", pid));
	for (std::string line; std::getline(list, line);)
		if (any_folder_of(line, is_it))
			return true;
	return false;
}

bool
is_beginning_of_id(std::string_view id, std::string_view whole)
{
	return id.size() >= shortest_id && whole.starts_with(id) &&
	    whole.find_first_not_of("0123456789abcdef") == whole.npos;
}

// docker-ID.scope, libpod-ID.scope, cri-containerd-ID.scope, ID,
// lxc.payload.ID, machine-ID.scope, systemd-nspawn@ID.service.  Podman's own
// process is beside its container, in libpod-conmon-ID.scope.
bool
is_container(std::string_view folder, std::string_view id)
{
	constexpr std::string_view scope = ".scope", service = ".service";
	if (folder.ends_with(scope))
		folder.remove_suffix(scope.size());
	else if (folder.ends_with(service) &&
	    folder.starts_with("systemd-nspawn@"))
		folder.remove_suffix(service.size());
	if (folder.find("conmon-") != folder.npos)
		return false;
	if (folder == id || folder == fmt::format("lxc.payload.{}", id))
		return true;
	const std::string_view last =
	    folder.substr(folder.find_last_of("-@") + 1);
	return last == id || is_beginning_of_id(id, last);
}

// Folders of users and of systemd have dashes, too.
std::string
container_of(std::string_view folder)
{
	constexpr std::string_view lxc = "lxc.payload.",
	    machine = "machine-", nspawn = "systemd-nspawn@";
	constexpr std::size_t whole_id = 32;
	if (folder.find("conmon-") != folder.npos)
		return {};
	if (folder.starts_with(lxc))
		return std::string(folder.substr(lxc.size()));
	const std::string_view name = folder.substr(0, folder.rfind('.'));
	if (folder.starts_with(machine) && folder.ends_with(".scope"))
		return std::string(name.substr(machine.size()));
	if (folder.starts_with(nspawn))
		return std::string(name.substr(nspawn.size()));
	const std::string_view last = name.substr(name.rfind('-') + 1);
	return last.size() >= whole_id && is_beginning_of_id(last, last) ?
	    std::string(last) : std::string();
}

std::string
unit_of(const std::string &name)
{
	return name.find('.') == name.npos ? name + ".service" : name;
}

// The first of these has cgroup v2, and the other is there only beside v1.
std::string
top_of_cgroups()
{
	for (const char *const top : {"/sys/fs/cgroup",
	    "/sys/fs/cgroup/unified"})
		if (access((std::string(top) + "/cgroup.controllers").c_str(),
		    F_OK) == 0)
			return top;
	return {};
}

// A folder in a folder that was found belongs to that.
template <class Test>
int
find_folder(Test is_it, const std::string &asked, std::string &dir,
    std::string &why)
{
	const std::string top = top_of_cgroups();
	if (top.empty()) {
		why = asked + ": cgroup v2 is not mounted at /sys/fs/cgroup";
		return EOPNOTSUPP;
	}
	std::error_code error;
	for (fs::recursive_directory_iterator at(top,
	    fs::directory_options::skip_permission_denied, error), end;
	    !error && at != end; at.increment(error)) {
		if (!at->is_directory(error) ||
		    !is_it(at->path().filename().native()))
			continue;
		if (!dir.empty()) {
			why = fmt::format("{}: more than one has it: {} and "
			    "{}", asked, dir, at->path().native());
			return EEXIST;
		}
		dir = at->path();
		at.disable_recursion_pending();
	}
	if (!dir.empty())
		return 0;
	why = asked + ": there is none below " + top;
	return ENOENT;
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

std::string
cgroup_directory(const std::string &given)
{
	const std::string path = given.starts_with("0::") ? given.substr(3) :
	    given;
	const std::string whole = top_of_cgroups() + path;
	const auto is_cgroup = [](const std::string &dir) {
		return access((dir + "/cgroup.procs").c_str(), F_OK) == 0;
	};
	return !is_cgroup(given) && path.size() > 1 && path[0] == '/' &&
	    is_cgroup(whole) ? whole : given;
}

std::string
short_id_hint(const std::string &id)
{
	return id.size() < shortest_id &&
	    id.find_first_not_of("0123456789abcdef") == id.npos ?
	    "; the beginning of an id has six digits at least" : "";
}

int
cgroup_of_unit(const std::string &name, std::string &dir, std::string &why)
{
	const std::string unit = unit_of(name);
	return find_folder([&](std::string_view f) { return f == unit; },
	    "--unit " + name, dir, why);
}

int
cgroup_of_container(const std::string &id, std::string &dir,
    std::string &why)
{
	const int error = find_folder([&](std::string_view f) {
		return is_container(f, id);
	}, "--container " + id, dir, why);
	if (error == ENOENT)
		why += short_id_hint(id);
	return error;
}

bool
is_in_unit(pid_t pid, const std::string &name)
{
	const std::string unit = unit_of(name);
	return any_folder(pid, [&](std::string_view f) { return f == unit; });
}

bool
is_path_of_unit(const std::string &path, const std::string &name)
{
	const std::string unit = unit_of(name);
	return any_folder_of(path, [&](std::string_view f) {
		return f == unit;
	});
}

bool
is_path_of_container(const std::string &path, const std::string &id)
{
	return any_folder_of(path, [&](std::string_view f) {
		return is_container(f, id);
	});
}

std::string
unit_in(const std::string &path)
{
	constexpr std::string_view service = ".service";
	std::string found;
	any_folder_of(path, [&](std::string_view f) {
		if (f.ends_with(service))
			found = f.substr(0, f.size() - service.size());
		return false;
	});
	return found;
}

std::string
container_in(const std::string &path)
{
	std::string found;
	any_folder_of(path, [&](std::string_view f) {
		if (std::string name = container_of(f); !name.empty())
			found = std::move(name);
		return false;
	});
	return found;
}

std::string
cgroup_of(pid_t pid)
{
	std::ifstream list(fmt::format("/proc/{}/cgroup", pid));
	for (std::string line; std::getline(list, line);)
		if (line.starts_with("0::"))
			return line.substr(3);
	return {};
}

bool
is_in_container(pid_t pid, const std::string &id)
{
	return any_folder(pid, [&](std::string_view f) {
		return is_container(f, id);
	});
}

} // namespace tools
