// Programs attached to points, until they are let go.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <linux/perf_event.h>
#include "bpf/object.h"

#include "points.h"
#include "programs.h"

namespace stack9::events {

class attachments {
public:
	// To all of them, or to none.  0; an errno, and why.
	int attach(programs &, const settings &, const std::vector<point> &,
	    std::string &why);

	void let_go() noexcept { fds_.clear(); }

private:
	int	one(programs &, const settings &, const point &,
		    std::uint32_t index, std::string &why);
	int	syscalls(programs &, const std::vector<point> &);
	int	call(programs &, const point &, std::uint32_t index);
	int	tracepoint(programs &, const char *program,
		    const std::string &name, std::uint64_t cookie);
	int	function(programs &, const point &, std::uint32_t index);
	int	user(programs &, const settings &, const point &,
		    std::uint32_t index);
	int	software(programs &, const settings &, const point &,
		    std::uint32_t index);
	void	keep(unique_fd);
	int	perf_event(int program, perf_event_attr &, pid_t, int cpu,
		    std::uint64_t cookie);

	std::vector<unique_fd>	fds_;
};

// The programs that they take, by name; function: the kernel's, where a program
// is to be loaded for it alone.
std::vector<const char *> programs_for(const std::vector<point> &,
    std::string &function);

} // namespace stack9::events
