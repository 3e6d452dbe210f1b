// What became of every thread that was asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <stack9.h>

namespace stackprint {

// Each thread is exactly one of these.
struct tally {
	unsigned long	captured = 0;	// whole
	unsigned long	partial = 0;
	unsigned long	user_mode = 0;	// no kernel stack to print
	unsigned long	failed = 0;	// could not be done, here or just now
	unsigned long	refused = 0;	// could be done with more rights
	unsigned long	gone = 0;	// dead or never there
	// Of the gone, those that were named one by one: whoever names a
	// thread wants its stack, while a process may lose threads any time.
	unsigned long	named_gone = 0;
	// A pass ended early: there are threads that are none of these.
	bool		cut_short = false;

	void		add(const stack9_record &, bool named);
	unsigned long	threads() const;
	std::string	line() const;
	int		status() const;
};

} // namespace stackprint
