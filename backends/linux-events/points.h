// From the name of an event to the points that a program is attached to.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace stack9::events {

enum class point_kind : std::uint8_t {
	tracepoint,	// name: of a raw tracepoint
	syscall,	// number; returns: when it is over
	kernel,		// name, offset: a function of the kernel
	user,		// path, offset in the file; name: for the label
	usdt,		// as user, and provider
	software,	// config: PERF_COUNT_SW_*; period or frequency
	off_cpu,
};

// One place to attach to.
struct point {
	point_kind	kind = point_kind::tracepoint;
	std::string	label;		// as an event's name that finds only it
	std::string	name, path, provider;
	std::uint64_t	offset = 0;
	std::uint64_t	semaphore = 0;	// usdt: offset in the file; 0: none
	int		number = -1;
	bool		returns = false;
	// software; syscall: its own tracepoint, if that is to be used
	std::uint64_t	config = 0;
	std::uint64_t	period = 0;	// events, or Hz:
	bool		frequency = false;
};

inline constexpr std::size_t most_points = 1024;

// What the event's name stands for, by the grammar of stackcount(1).  regex:
// names are POSIX extended regular expressions, which have to match as a whole;
// else patterns with * and ?.  pid: whose mapped files a short FILE is looked
// for in first; 0: nobody's.
// 0 and one point at least; ENOENT, EINVAL, ENOSPC (more than most_points),
// EPERM, EOPNOTSUPP, and in why a sentence with what helps.
int find_points(const std::string &event, bool regex, pid_t pid,
    std::vector<point> &points, std::string &why);

// Why functions of the kernel cannot be attached to here, in a sentence that
// names the configuration or lockdown, and what would do for this one: "" if
// nothing is known to forbid it.
std::string why_no_kernel_functions(const std::string &function);

} // namespace stack9::events
