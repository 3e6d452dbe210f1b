// Says nothing of processes: every question is EOPNOTSUPP.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace stack9 {

// A signal has the bit of its number less one.
using signal_bits = std::uint64_t;

enum class scheduling { shared, real_time, idle };

struct task_facts {
	pid_t		pid = 0, tid = 0, parent = 0, group = 0, session = 0;
	pid_t		terminal_group = 0;	// -1: there is no terminal
	pid_t		tracer = 0;	// 0: nobody traces it
	std::uint64_t	terminal = 0;	// its device; 0: none
	std::string	name;
	std::string	wait;		// a function of the kernel; "": it
					// runs, or the caller may not know
	char		state = '?';	// a letter as in thread_stat
	bool		of_kernel = false;
	int		threads = 0;	// of the process
	int		cpu = -1;	// on it, or last on it
	int		nice = 0;
	int		priority = 0;	// from 0, the highest, to 139
	scheduling	how = scheduling::shared;
	uid_t		uid = 0, real_uid = 0, saved_uid = 0;
	gid_t		gid = 0, real_gid = 0, saved_gid = 0;
	std::vector<gid_t> groups;
	std::uint64_t	user_us = 0, system_us = 0;	// on CPUs
	std::uint64_t	children_user_us = 0, children_system_us = 0;
	std::uint64_t	start_us = 0;	// since 1970
	std::uint64_t	age_us = 0;
	std::uint64_t	bytes = 0;	// of address space
	std::uint64_t	resident = 0;	// pages
	std::uint64_t	most_resident = 0;	// KiB
	std::uint64_t	minor_faults = 0, major_faults = 0;
	std::uint64_t	voluntary = 0, involuntary = 0;	// switches
	signal_bits	pending = 0, blocked = 0, ignored = 0, caught = 0;
};

inline int
read_process(pid_t, task_facts &)
{
	return EOPNOTSUPP;
}

inline int
read_thread(pid_t, pid_t, task_facts &)
{
	return EOPNOTSUPP;
}

inline int
list_processes(std::vector<pid_t> &)
{
	return EOPNOTSUPP;
}

inline int
list_threads(pid_t, std::vector<pid_t> &)
{
	return EOPNOTSUPP;
}

inline int
read_arguments(pid_t, std::string &)
{
	return EOPNOTSUPP;
}

inline int
read_environment(pid_t, std::string &)
{
	return EOPNOTSUPP;
}

inline int
read_program_path(pid_t, std::string &)
{
	return EOPNOTSUPP;
}

} // namespace stack9
