// Counts the outer frames of a stack that are those of a stack printed before,
// so that a person reads them once.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "ours.h"
#include "tools/lib/names.h"

namespace stackprint {

class shared_frames {
public:
	struct match {
		std::uint32_t	frames = 0;
		std::string	where;		// "as above"
	};

	// The outer frames that need not be printed again; none if they are
	// worth no more than the line that stands for them.  name: of the
	// stack, by which later ones refer to it.
	match	of(const stack &, const std::string &name, names &);

private:
	using frame = std::pair<std::uint64_t, std::uint64_t>;
	struct printed_stack {
		std::string		name;
		std::vector<frame>	frames;		// the outermost first
		int			why;
		std::string		reason;
	};

	std::deque<printed_stack> printed_[2];	// of the kernel, of user space
};

} // namespace stackprint
