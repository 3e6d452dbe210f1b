// Finds the goroutines of processes that run on no thread, and groups those of
// a process that have the same stack and state.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include <stack9_coroutines.h>

#include "groups.h"
#include "ours.h"
#include "tools/lib/names.h"
#include "tools/lib/samples.h"

namespace stackprint {

struct coroutine_group {
	std::string	runtime, state;
	sample_ptr	sample;		// the first one's
	std::vector<std::uint64_t> ids;
};

class found_coroutines {
public:
	// each: no two are grouped.
	explicit found_coroutines(bool each) : each_(each) {}

	// Returns 0 or an errno; ENOENT: the process has no such runtime.
	int	find(const stack9_thread &process, unsigned int frames);

	// The groups, by process, the largest first.
	std::vector<coroutine_group> groups(names &) const;

	std::size_t
	count() const
	{
		return all_.size();
	}
	std::size_t	captured() const;

private:
	struct coroutine {
		std::uint64_t	id;
		std::string	runtime, state;
		sample_ptr	sample;
	};

	static int	add(void *, const stack9_coroutine *) noexcept;

	const bool		each_;
	bool			no_memory_ = false;
	std::vector<coroutine>	all_;
};

} // namespace stackprint
