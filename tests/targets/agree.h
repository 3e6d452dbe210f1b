// Compares our frames of a stopped process with those of others.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>

#include "peers.h"

// A peer's stack is, beside ours: the same; in some threads only the beginning
// of ours; or wrong, and left alone.  The last two have the reason beside them
// wherever they are used.
enum class beside { same, shorter, wrong };

struct expected {
	beside		gdb = beside::same;
	beside		eu_stack = beside::same;
	// The end of our stacks, and whether a frame pointer had to be trusted.
	stack9_why	why = STACK9_WHY_NONE;
	bool		guessed = false;
};

struct captured {
	int		error = 0;
	stack9_why	why = STACK9_WHY_NONE;
	unsigned int	flags = 0;
	std::string	reason;
	frames		pcs;
};

// True: the thread was not held or not copied in time.  On a busy machine it
// may have to wait for its CPU longer than a capture waits for it.
bool is_late(const captured &);

// By a route, or "" for whichever comes first; again for as long as the thread
// is late, 100 times at most.
captured capture(pid_t tid, const std::string &route = "");

// Stops it again and again, until a thread is in a mapping of that path, by its
// end: that thread's stack.  depth 0: it never was.
captured stop_in(target &, const std::string &path);

// Every thread, by each route that sees everything; noted() is to be on the
// stack of who noted it.
void agree(const target &, const expected & = {});
// One thread's.
void agree_on(pid_t tid, const frames &theirs, const std::string &who, beside,
    const captured &ours);

// Returns whether the addresses are in pcs, one after the other.
bool has_row(const frames &pcs, const frames &row);

std::string text_of(const frames &);

// Names of functions in a stack, innermost first; "?" for those without.
std::vector<std::string> names_of(pid_t, const captured &);
