// Compares waits with what the threads of a scene know.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <stack9_waits.h>

#include "lib/hold_sample.h"
#include "scene.h"

struct found {
	int			kind;
	std::uint32_t		flags;
	std::string		reason, object, place;
	std::uint64_t		left_ns, address;
	std::vector<pid_t>	holders;
	std::string		call;
	std::uint64_t		idle_ns;
};
using all_found = std::map<pid_t, found>;

// For stack9_waits(): adds waits to an all_found.
int add_wait(void *arg, const stack9_wait *);

// The waits of all threads of these processes.
all_found waits_of(const std::vector<pid_t> &);
// The processes of a scene.
std::vector<pid_t> processes_of(scene &);

// Waits until all threads of a scene sleep, and looks once: all has to be as it
// is known.  Gives the waits as they are then.
all_found check_scene(scene &);
