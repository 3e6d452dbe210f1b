// Groups the stacks of a profile by container, as servers of many machines do.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "profile.h"

namespace profiles {

struct resource {
	std::string	service;	// the unit, the container or the host
	std::string	container;	// its id; ""
	std::string	cgroup;		// its path; "": not known
	std::vector<const stack *> stacks;
};

// Gives the groups in the order of their names.  They point into the profile.
std::vector<resource> resources_of(const profile &);

} // namespace profiles
