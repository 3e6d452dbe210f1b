// Turns the request for a watch into the configuration of the programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/seam/watch.h"

#include "event_record.h"
#include "bpf/unwind/rule_budget.h"
#include "backends/linux-events/probes/probe.h"

namespace stack9::events {

struct settings {
	s9_config	config{};
	std::uint32_t	stacks = 0;	// in the table of each size
	std::uint32_t	ring = 0;	// bytes
	rule_budget	rules{};
	std::string	cgroup;
	bool		off_cpu = false;
	bool		wakers = false;
	bool		lends = false;	// to programs of others, who call
	bool		printk = false;	// or print
	bool		languages = false;	// their functions are wanted
	bool		cannot_walk = false;	// it was wanted, and this
						// CPU's frames are not known
};

// The number of frames of a side that the kernel walks at most.
std::uint32_t perf_event_max_stack() noexcept;

// 0; EINVAL, and why.
int make_settings(const watch_filter &, const watch_sink &,
    const std::vector<probe> &, settings &, std::string &why);

// Makes settings for a few events as if they were many.
void take_many(const watch_sink &, settings &);

} // namespace stack9::events
