// Counts what became of every thread that was asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "ours.h"
#include "tools/lib/samples.h"

namespace stackprint {

struct tally {
	stack9_side	sides = STACK9_BOTH;	// that are asked for
	unsigned long	captured = 0;
	unsigned long	partial = 0;
	unsigned long	without = 0;
	unsigned long	failed = 0;
	unsigned long	refused = 0;
	unsigned long	gone = 0;
	// Those threads of `gone` that were named one by one.  A user who names
	// a thread asks for its stack, while a process may lose threads at any
	// time.
	unsigned long	named_gone = 0;
	// A pass ended early: some threads are in none of these counts.
	bool		cut_short = false;

	// Goroutines that run on no thread, and those whose stack is whole.
	unsigned long	coroutines = 0, coroutines_captured = 0;
	unsigned long	tasks = 0;	// of the coroutines

	std::string	hints;		// a member for JSON, or ""

	void		add(outcome, bool named);
	void		remove(outcome, bool named);
	unsigned long	threads() const;
	std::string	line() const;
	int		status() const;

private:
	unsigned long	&of(outcome);
};

} // namespace stackprint
