// Makes segments, writes them into a directory of their own, and reads them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "lib/scratch.h"
#include "tools/record/model.h"
#include "tools/record/reader.h"

namespace made {

recording::segment_info info();

// The first tick of a segment has four threads, and each later one has news.
recording::tick tick(unsigned int n);

// The bytes of a segment with so many ticks.
std::string segment(unsigned int ticks);

class directory : public lib::scratch {
public:
	std::string	file(const std::string &bytes) const;
	std::vector<std::string> segments() const;
};

// Keeps each tick as its bytes.
class seen final : public recording::visitor {
public:
	bool	at(const recording::segment &, const recording::tick &)
		    override;
	void	end(const recording::segment &, bool complete) override;

	unsigned int	ticks = 0;		// since the last beginning
	bool		all_are_right = true;	// as tick() made them
	unsigned int	ends = 0, complete = 0;
	bool	begin(const recording::segment_info &) override;
};

struct reading : recording::reading {
	seen		what;
	int		error = 0;
};
reading read(const std::string &path);

} // namespace made
