// Finds the processes of a cgroup, of a systemd unit and of a container.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <unordered_set>

#include <sys/types.h>

namespace tools {

// Adds the processes of a cgroup's directory and of those below it, of any
// hierarchy.  Returns 0 or an errno; ENOENT: it is not a cgroup.
int processes_of_cgroup(const std::string &dir,
    std::unordered_set<pid_t> &);

// Gives the directory that a person means by this: it may be a path from the
// top of cgroup v2, as a line of /proc/PID/cgroup has it after "0::".
std::string cgroup_directory(const std::string &given);

// Gives words for the end of a refusal if the beginning of a container's id may
// have been meant that is too short; or "".
std::string short_id_hint(const std::string &id);

// Find the directory of a unit's or a container's cgroup v2.  Return 0 or an
// errno, and then a sentence; ENOENT: there is none; EEXIST: several have that
// beginning.
int cgroup_of_unit(const std::string &name, std::string &dir,
    std::string &why);
int cgroup_of_container(const std::string &id, std::string &dir,
    std::string &why);

// True if the process is in the systemd unit of that name, as nginx.service, at
// any depth.  A name without a suffix is a service's.
bool is_in_unit(pid_t, const std::string &name);

// The same by the path of a cgroup, as in /proc/PID/cgroup.
bool is_path_of_unit(const std::string &path, const std::string &name);
bool is_path_of_container(const std::string &path, const std::string &id);

// Give the name of the innermost unit of systemd, without .service, and of the
// innermost container in the path of a cgroup; "": it has none.  A container's
// name is its id where the folder has one.
std::string unit_in(const std::string &path);
std::string container_in(const std::string &path);

// Gives the path of a process's cgroup v2, "" if it is not known.
std::string cgroup_of(pid_t);

// True if the process is in the container: its name, or its ID or the ID's
// first digits, six at least, as Docker, Podman, containerd, CRI-O, LXC and
// systemd-nspawn name the container's cgroup.
bool is_in_container(pid_t, const std::string &id);

} // namespace tools
