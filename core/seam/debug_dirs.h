// Keeps the directories of debug files that were named beside /usr/lib/debug.
// They are for all files of this process, because a debug file is known by its
// build-id.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "os/forked_lock.h"

namespace stack9::debug_dirs {

inline constexpr std::string_view usual = "/usr/lib/debug";

inline constinit std::mutex lock;
inline const int at_fork = free_in_children<lock>();

// They are never destroyed, because other threads may search while the program
// exits.
inline std::vector<std::string> &
all()
{
	static auto &dirs = *new std::vector<std::string>;
	return dirs;
}

// Throws std::bad_alloc.
inline void
add(const std::vector<std::string> &dirs)
{
	const std::lock_guard hold(lock);
	for (const std::string &each : dirs)
		if (each != usual && std::find(all().begin(), all().end(),
		    each) == all().end())
			all().push_back(each);
}

// Gives the other names that a file below /usr/lib/debug may have.  Throws
// std::bad_alloc.
inline std::vector<std::string>
others(std::string_view path)
{
	std::vector<std::string> names;
	if (!path.starts_with(usual))
		return names;
	const std::lock_guard hold(lock);
	for (const std::string &each : all())
		names.push_back(each + std::string(path.substr(usual.size())));
	return names;
}

} // namespace stack9::debug_dirs
