// Makes samples of a recorded moment, and gives the names of their frames.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "options.h"
#include "ours.h"
#include "tools/lib/names.h"
#include "tools/model/stack.h"
#include "tools/record/segment.h"

namespace stackprint {

class recorded_snapshot {
public:
	recorded_snapshot(const options &o, const recording::segment &s,
	    names &all) : opt_(o), s_(s), names_(all) {}

	// Gives the sample of a thread.  It refers to the segment.  NULL: the
	// thread was not there, or is not wanted.
	sample_ptr	sample_of(std::uint32_t thread);

private:
	using of_process = std::pair<std::uint32_t, std::uint32_t>;

	bool		is_wanted(std::uint32_t thread, char state) const;
	const stack	&stack_of(std::uint32_t number, std::uint32_t process);
	void		fill(stack &, const recording::stack &,
			    std::uint32_t process);
	std::uint64_t	pc_of(std::uint32_t frame, std::uint32_t process);

	const options		&opt_;
	const recording::segment &s_;
	names			&names_;
	std::size_t		 frames_ = 0;
	std::map<of_process, stack>	    stacks_;
	std::map<of_process, std::uint64_t> bases_;
};

} // namespace stackprint
