// Declares a pass over a process whose records are kept.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "core/seam/record.h"
#include "user.h"

struct kept {
	stack9::stack_record		rec;	// pcs and space are not its
	std::vector<std::uintptr_t>	pcs;
};

struct pass {
	using each_fn = std::function<int(const stack9::stack_record &)>;

	// also: called for each record as it comes; non-0 ends the pass.
	pass(stack9_side, pid_t pid, const each_fn &also = {});

	// Says what is wrong with it as a whole; "": nothing.  For BOTH each
	// thread comes twice, the kernel's first; otherwise once.
	std::string disorder() const;
	// A thread as often as it came.
	std::multiset<pid_t> tids() const;
	const kept *of(pid_t tid, stack9_side = STACK9_USER) const;

	int			error;
	std::vector<kept>	all;
	space			in;	// the first one that came
	stack9_side		side;
};
