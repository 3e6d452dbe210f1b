// Knows whose threads are recorded, and passes over them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include <stack9.h>
#include <stack9_waits.h>
#include <unistd.h>

#include "options.h"

namespace stackrecord {

class targets {
public:
	explicit targets(const options &o) : opt_(o) {}

	// Finds the processes again, if a second has passed since the last
	// time.  Returns 0 or an errno, and then a sentence; ESRCH: there are
	// none.
	int	find(std::uint64_t now_ns, std::string &why);

	// Look at all threads of these processes, and maybe at others; pass()
	// captures their stacks.  Return 0 or an errno.
	int	states(stack9_state_fn *, void *arg) const;
	int	pass(stack9_side, stack9_sample_fn *, void *arg) const;

	bool	wants(const stack9_sample &) const;
	bool	wants(const stack9_state &) const;

private:
	template <class Look> int	each_process(Look) const;
	bool	wants(const stack9_thread &) const;
	bool	has_processes() const;

	const options		&opt_;
	const pid_t		 self_ = getpid();
	std::vector<pid_t>	 processes_;
	std::unordered_set<pid_t> are_wanted_;
	std::uint64_t		 found_ns_ = 0;
};

stack9_save_options save_options(const options &);

} // namespace stackrecord
