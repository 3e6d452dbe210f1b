// Takes and releases the locks of random programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ledger.h"

namespace soak {

// Makes what the object is, in the memory that all share.
void make(object &, int number, const char *directory);

// How a lock is taken.
struct manner {
	bool		reads = false;	// a read-write lock
	std::uint64_t	most_ns = 0;	// to wait; 0: without an end
};

// fd: of the lock's file, or -1.  True: it was taken.  t: its turn, or NULL for
// readers, whom nobody lists.
bool take(ledger &, int object, int actor, int fd, manner, turn *&t);
void release(ledger &, int object, int fd, turn *t);

// A file of its own for each thread: -1 if the object is none.
int open_file(const object &);

} // namespace soak
