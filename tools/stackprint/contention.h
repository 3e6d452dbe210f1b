// Counts over several looks who waits for a lock and who has it, because locks
// that are held for milliseconds have another owner in each.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "waits.h"

namespace stackprint {

class contention {
public:
	struct lock {
		std::string	text;	// its kind, address and place
		pid_t		pid = 0;	// of the first that waited
		std::set<pid_t>	waiters;
		std::map<pid_t, std::size_t> holders;	// in how many looks
		std::size_t	looks = 0;	// in which a holder was seen
		bool		changes = false;	// its waiters move
	};

	void	add(const std::vector<found_wait> &);

	// Those whose waiters move or whose holders change, the ones with most
	// waiters first.
	std::vector<const lock *> changing() const;
	// True if the wait is for one of those.
	bool	has(const found_wait &) const;

private:
	// The process; 0 for a lock of the kernel.
	using key = std::pair<pid_t, std::uint64_t>;

	std::map<key, lock>	locks_;
	std::set<pid_t>		moved_;	// in some look
};

} // namespace stackprint
