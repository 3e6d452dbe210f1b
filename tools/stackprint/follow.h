// Declares what --follow, --stuck and --top do in place of one capture.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "options.h"

namespace stackprint {

// Captures again and again the threads that have run, until a signal comes or
// all threads have ended.  Returns the exit status.
int follow(const options &);

// Captures the threads that do not run for a while.  Returns the exit status.
int print_stuck(const options &);

// Shows groups of equal stacks until its reader ends it.  Returns the exit
// status.
int top(const options &);

// Does the one of these that the options name.
inline int
repeat(const options &o)
{
	return o.top ? top(o) : o.stuck.has_value() ? print_stuck(o) :
	    follow(o);
}

// Waits so many seconds.  False: SIGINT or SIGTERM came, for which
// catch_interruption() has been called.
bool pause_for(double seconds);

} // namespace stackprint
