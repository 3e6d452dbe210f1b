// Turns the stacks of segments into the frames of one profile, in which frames
// that read the same are one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "options.h"
#include "tools/model/frame_table.h"
#include "tools/profiles/profile.h"
#include "tools/record/segment.h"

namespace stackreport {

class frames {
public:
	frames(const options &o, profiles::profile &to)
	    : opt_(o), numbers_(to.frames, tools::precision::functions) {}

	// Another segment begins: its numbers mean something else.
	void	begin();

	// Gives the number of the frames of a stack.  It is good for all
	// segments: equal frames have one number.  0: there is no stack.
	std::uint32_t	side(const recording::segment &, std::uint32_t stack);

	// Gives the frames of two sides, the outermost first.  A comm is the
	// first of them.
	std::vector<std::uint32_t> joined(std::uint32_t kernel,
	    std::uint32_t user, const std::string &comm);
	std::vector<std::uint32_t> of(const recording::segment &,
	    std::uint32_t kernel, std::uint32_t user);

	// Gives the number of a frame that takes the place of others.
	std::uint32_t
	note(const std::string &text)
	{
		return numbers_.marker(profiles::frame_kind::note, text);
	}

private:
	using list = std::vector<std::uint32_t>;

	list		frames_of(const recording::segment &,
			    const recording::stack &);
	std::uint32_t	number_of(const recording::segment &,
			    std::uint32_t frame);

	const options		&opt_;
	tools::frame_table	 numbers_;
	std::vector<std::uint32_t> known_;	// + 1, by number in the segment
	std::vector<std::uint32_t> known_sides_;	// likewise
	std::map<list, std::uint32_t> side_numbers_;
	std::vector<const list *> sides_;
};

} // namespace stackreport
