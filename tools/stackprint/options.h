// What the command line asks for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace stackprint {

inline constexpr unsigned int default_depth = 1024;
inline constexpr unsigned int deepest = 65536;

struct options {
	std::vector<pid_t>	tids;
	pid_t			pid = 0;	// 0: no -p
	bool			all = false;
	unsigned int		depth = default_depth;
	bool			addresses = false;
	bool			check = false;
	std::string		pin;		// empty: no --pin
	std::string		again;		// the command line, for advice

	bool
	any_target() const
	{
		return !tids.empty() || pid != 0 || all;
	}
};

// An exit status if there is nothing left to do (help, version, usage).
std::optional<int> parse(int argc, char **argv, options &);

} // namespace stackprint
