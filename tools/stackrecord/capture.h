// Captures the threads that have run since the tick before.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <unordered_map>
#include <vector>

#include <stack9.h>

#include "options.h"
#include "targets.h"
#include "threads.h"

namespace stackrecord {

class capture {
public:
	capture(const options &o, const targets &t) : opt_(o), targets_(t) {}

	// Fills the tick.  Returns 0 or an errno.
	int	take(recording::tick &, bool restart);

	const threads	&all() const { return threads_; }

private:
	static int	look(void *, const stack9_sample *) noexcept;
	static int	keep(void *, const stack9_sample *) noexcept;
	int		pass(stack9_side, stack9_sample_fn *);
	int		changed_ones();
	int		one(const stack9_thread &);

	const options	&opt_;
	const targets	&targets_;
	threads		 threads_;
	std::size_t	 looked_at_ = 0;
	std::vector<stack9_thread> changed_;
	std::unordered_map<pid_t, std::size_t> threads_of_; // looked at
	bool		 no_memory_ = false;
};

} // namespace stackrecord
