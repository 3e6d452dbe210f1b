// Holds the options of the command line, and declares what main() does by them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <stack9.h>

#include "tools/lib/thread_filter.h"

namespace stackrecord {

inline constexpr double fastest = 100, slowest = 0.01;	// times a second

struct options : tools::thread_filter {
	double		hz = 1;
	std::string	dir;
	double		duration = 0;		// seconds; 0: until ended
	bool		only_kernel = false;
	bool		only_user = false;	// both: same as neither
	std::uint32_t	frames = 0;		// 0: the library's
	std::size_t	max_size = std::size_t{1} << 30;
	std::string	max_age = "7d", segment = "10m";
	std::uint64_t	max_age_s = 0, segment_s = 0;
	std::string	limits;			// empty: the usual ones
	bool		waits = false;
	bool		name_later = false;
	std::vector<std::string> events;	// of stackcount's grammar
	std::string	to;			// a server's URL; empty: none
	bool		quiet = false;

	stack9_side
	sides() const
	{
		return only_kernel == only_user ? STACK9_BOTH :
		    only_kernel ? STACK9_KERNEL : STACK9_USER;
	}
};

// Returns an exit status if nothing is left to do.
std::optional<int> parse(int argc, char **argv, options &);

// Records until a signal or the end of the duration.  Returns the exit status.
int run(const options &);

} // namespace stackrecord
