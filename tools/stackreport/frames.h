// Turns the stacks of segments into the frames of one profile, in which frames
// that read the same are one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "options.h"
#include "tools/profiles/profile.h"
#include "tools/record/segment.h"

namespace stackreport {

class frames {
public:
	frames(const options &o, profiles::profile &to) : opt_(o), to_(to) {}

	// Another segment begins: its numbers mean something else.
	void	begin();

	// Gives the frames of a thread's stacks, the outermost first.  comm is
	// the first of them.
	std::vector<std::uint32_t> of(const recording::segment &,
	    std::uint32_t kernel, std::uint32_t user, const std::string &comm);

private:
	void	add(const recording::segment &, std::uint32_t stack,
		    std::vector<std::uint32_t> &);
	std::uint32_t	number_of(const recording::segment &,
			    std::uint32_t frame);
	std::uint32_t	number(profiles::frame &&);
	std::uint32_t	marker(profiles::frame_kind, const std::string &);

	const options		&opt_;
	profiles::profile	&to_;
	std::unordered_map<std::string, std::uint32_t> numbers_;
	std::vector<std::uint32_t> known_;	// + 1, by number in the segment
};

// Gives the note that stands in place of frames that are missing, or "".
std::string note_of(const recording::stack &);

} // namespace stackreport
