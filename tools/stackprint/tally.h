// What became of every thread that was asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "tools/lib/stacks.h"

namespace stackprint {

struct tally {
	stack9_side	sides = STACK9_BOTH;	// that are asked for
	unsigned long	captured = 0;
	unsigned long	partial = 0;
	unsigned long	without = 0;
	unsigned long	failed = 0;
	unsigned long	refused = 0;
	unsigned long	gone = 0;
	// Of the gone, those that were named one by one: whoever names a
	// thread wants its stack, while a process may lose threads any time.
	unsigned long	named_gone = 0;
	// A pass ended early: there are threads that are none of these.
	bool		cut_short = false;

	void		add(outcome, bool named);
	unsigned long	threads() const;
	std::string	line() const;
	int		status() const;
};

} // namespace stackprint
