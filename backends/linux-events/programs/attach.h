// Attaches a program to each probe of a watch.  Closing the descriptors that
// this keeps detaches the programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <linux/perf_event.h>

#include "os/unique_fd.h"

#include "lent_maps.h"
#include "program_of_probe.h"
#include "programs.h"

namespace stack9::events {

class attachments {
public:
	// Attaches to all probes or to none.  0; or an errno, and why.
	int attach(programs &, const settings &, const std::vector<probe> &,
	    manner, std::string &why);

	// Attaches the program that sees who wakes threads.  0, or an errno.
	int attach_waking(programs &);

	void
	detach() noexcept
	{
		fds_.clear();
		lent_.take_back();
	}

private:
	// A way attaches one probe with these.
	struct target {
		programs	&from;
		const settings	&set;
		const probe	&at;
		int		program;	// a descriptor
		std::uint32_t	index;		// of the probe
	};
	using attach_fn = int (attachments::*)(const target &);

	int	set_syscalls(programs &, const std::vector<probe> &);
	int	raw_tracepoint(const target &);
	int	call_event(const target &);
	int	kprobe(const target &);
	int	fentry(const target &);
	int	uprobe(const target &);
	int	every_cpu(const target &);
	int	lent(const target &);
	int	perf_event(const target &, perf_event_attr &, pid_t, int cpu);
	void	keep(unique_fd);

	static const attach_fn	ways[];

	std::vector<unique_fd>	fds_;
	lent_maps		lent_;
};

} // namespace stack9::events
