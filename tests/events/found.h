// Finds what an event's text stands for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "backends/linux-events/probes/btf_strings.h"
#include "backends/linux-events/probes/find_probes.h"
#include "bpf/tracefs.h"

#include "require.h"

struct found {
	std::string	why;
	std::vector<stack9::events::probe> probes;
	int		error;		// last: finding fills the others

	explicit found(const std::string &event, bool regex = false,
	    pid_t pid = 0)
	    : error(stack9::events::find_probes(event, regex, pid, probes,
	    why)) {}

	bool
	says(const std::string &s) const
	{
		return why.find(s) != why.npos;
	}
	std::set<std::string> labels() const;
	// Returns whether each label finds its own probe and only that.
	bool labels_are_names() const;
};

std::ostream &operator<<(std::ostream &, const found &);

// Skips a case where nothing lists tracepoints: only attaching finds them then.
inline boost::unit_test::decorator::precondition
lists_tracepoints()
{
	return needs("a list of tracepoints", [] {
		return stack9::events::btf_strings::are_there() ||
		    !stack9::bpf::tracefs().empty() ? "" :
		    "neither /sys/kernel/btf nor tracefs is mounted";
	});
}
