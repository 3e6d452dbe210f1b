// Keeps the stacks of threads that are blocked, until they are resumed.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "backends/linux-events/programs/event_record.h"

namespace stack9::events {

class blocked_stacks {
public:
	// stacks: an identity.  Throws std::bad_alloc.
	void
	keep(const s9_event_head &head, std::string stacks)
	{
		one &kept = all_[head.host_tid];
		bytes_ += stacks.size() - kept.stacks.size();
		kept = {head.serial, std::move(stacks)};
	}

	// Gives the stacks of the wait that ends.  False: they are not there.
	bool
	take(const s9_event_head &head, std::string &stacks)
	{
		const auto found = all_.find(head.host_tid);
		if (found == all_.end() || found->second.serial != head.serial)
			return false;
		stacks = std::move(found->second.stacks);
		bytes_ -= stacks.size();
		all_.erase(found);
		return true;
	}

	std::size_t bytes() const noexcept { return bytes_; }

private:
	struct one {
		std::uint64_t	serial;
		std::string	stacks;
	};

	std::unordered_map<std::int32_t, one> all_;	// by tid
	std::size_t	bytes_ = 0;
};

} // namespace stack9::events
