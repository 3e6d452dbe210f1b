// Reads files of segments from their beginnings to their ends, and hands out
// each tick.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "framing.h"
#include "segment.h"

namespace recording {

// Gets what is read.  A function that returns false ends the reading of the
// segment.
class visitor {
public:
	virtual ~visitor() = default;

	virtual bool	begin(const segment_info &) { return true; }
	// The tables have what is new in the tick, and the states are those of
	// the tick before.
	virtual bool	at(const segment &, const tick &) = 0;
	// The states are those of the last tick.  complete: the segment was
	// closed in order.
	virtual void	end(const segment &, bool /*complete*/) {}
};

// Counts what was read, and says what was wrong with files.
struct reading {
	// Names a frame of a file that had none when it was recorded, if it is
	// set.
	std::function<void(const module &, frame &)> name;
	std::vector<std::string> complaints;
	std::size_t	segments = 0, ticks = 0;
	std::size_t	without_end = 0;	// segments: cut off, or being
						// written
	std::uint64_t	bytes = 0;
};

// Reads one file.  Returns 0 or an errno.  From damage on, the rest of the
// segment is left out; complaints say so.
int read_file(const std::string &path, visitor &, reading &);

// Reads the beginning of a file.  Returns 0 or an errno; EINVAL: no segment
// begins there.
int read_info(const std::string &path, segment_info &);

} // namespace recording
