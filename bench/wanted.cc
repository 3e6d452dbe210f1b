// Parses the command line.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "wanted.h"

#include <algorithm>
#include <cstdio>

wanted::wanted(int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		user_row row{};
		if (std::string_view(argv[i]) == "quick")
			quick_ = true;
		else if (std::sscanf(argv[i], "%ux%u", &row.threads,
		    &row.frames) == 2)
			rows_.push_back(row);
		else
			names_.push_back(argv[i]);
	}
	if (!rows_.empty() && names_.empty())
		names_.push_back("dump");
	if (rows_.empty())
		for (const unsigned threads : {1u, 10u, 100u, 1000u})
			for (const unsigned frames : {10u, 50u})
				rows_.push_back({threads, frames});
}

bool
wanted::has(std::string_view name, std::string_view group) const
{
	return names_.empty() || std::any_of(names_.begin(), names_.end(),
	    [&](std::string_view n) { return n == name || n == group; });
}
