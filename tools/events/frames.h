// Names and numbers the frames of stacks.  Frames that read the same are one
// frame, in whichever process they are.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include <stack9_watch.h>

#include "tools/profiles/profile.h"
#include "tools/lib/names.h"
#include "tools/model/frame_table.h"
#include "options.h"

namespace events {

using tools::precision;

class frames {
public:
	using list = std::vector<std::uint32_t>;

	// Frames are added to the deque.
	frames(const options &, precision, std::deque<profiles::frame> &);

	// Adds the frames of one side of the sample, innermost first, and the
	// notes about them.
	void	add(const tools::sample &, const tools::stack &, list &);
	// Adds both sides and, if each process is counted on its own, the
	// process as the last frame.
	void	add(const stack9_sample &, list &);

	std::uint32_t
	marker(profiles::frame_kind kind, const std::string &name)
	{
		return numbers_.marker(kind, name);
	}

	// Gives the address as it was captured.
	std::uint64_t
	pc(std::uint32_t i) const
	{
		return numbers_.pc(i);
	}
	// True if a name was withheld because rights were missing.
	bool
	hidden() const
	{
		return names_.hidden();
	}

private:
	void	add_notes(const tools::sample &, const tools::stack &, list &);
	void	add_place(const tools::place &, list &);
	std::string	note(const tools::sample &, const tools::stack &);

	const options		&opt_;
	const tools::name_options names_wanted_;
	tools::names		names_;
	tools::frame_table	numbers_;
	std::unordered_map<const void *, list>	of_place_;
	std::vector<const tools::place *> places_;	// of one stack
};

// Writes a frame for people.  It writes neither indentation nor an end of line.
void write_frame(fmt::memory_buffer &, const profiles::frame &,
    std::uint64_t pc, const options &);

} // namespace events
