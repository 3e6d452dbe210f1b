// Puts into words how long a thread is in its state.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ours.h"
#include "tools/model/stack.h"

namespace stackprint {

class tracker;
struct tracked;

// Gives 120 ms, 1.2 s, 12 s, 3 min 4 s and the like.
std::string span_text(std::uint64_t ns);

// Gives "for 1.2 s"; "" if nothing is known.
std::string state_time_text(const tracked &);

class state_times {
public:
	explicit state_times(const tracker &t) : tracker_(t) {}

	// Gives the words of a thread's header: ", for 1.2 s", or "".
	std::string	text(const thread_facts &) const;
	// The same of several threads: "" unless something is known of all.
	std::string	text(const std::vector<thread_facts> &) const;
	// Members of a thread's JSON object, each after a comma.
	std::string	members(const thread_facts &) const;

private:
	const tracked	*found(const thread_facts &) const;

	const tracker	&tracker_;
};

} // namespace stackprint
