// Makes samples of a recorded moment.  They are printed as others are.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <stack9.h>

#include "options.h"
#include "ours.h"
#include "tools/lib/names.h"
#include "tools/record/segment.h"

namespace stackprint {

// Owns what its samples point to.
class recorded_snapshot {
public:
	recorded_snapshot(const options &o, const recording::segment &s)
	    : opt_(o), s_(s) {}
	recorded_snapshot(const recorded_snapshot &) = delete;
	recorded_snapshot &operator=(const recorded_snapshot &) = delete;

	// Gives the sample of a thread; NULL: it was not there, or is not
	// wanted.
	const stack9_sample *sample_of(std::uint32_t thread);
	// Gives the names of all frames that the samples have.
	void	name(names &) const;

private:
	struct kept {
		stack9_stack	stack{};
		std::vector<std::uint64_t> pcs;
		std::vector<std::string> texts;
		std::vector<const char *> lines;
		const recording::stack *from = nullptr;
		std::uint32_t	process = 0;
	};

	const char	*text(const std::string &);
	const stack9_stack	*stack_of(std::uint32_t number,
				    std::uint32_t process);
	const stack9_stack	*of_kernel_thread();
	std::uint64_t	pc_of(std::uint32_t frame, std::uint32_t process);
	void		fill(kept &);
	stack9_space	*space_of(const kept &) const;

	const options		&opt_;
	const recording::segment &s_;
	std::size_t		 frames_ = 0;
	std::set<std::string>	 texts_;
	std::deque<stack9_sample> samples_;
	std::deque<stack9_stack> named_;	// user stacks, each of a thread
						// with a name of its own
	std::map<std::pair<std::uint32_t, std::uint32_t>, kept> stacks_;
	std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>
	    bases_;
	std::optional<stack9_stack> no_user_side_;
};

} // namespace stackprint
