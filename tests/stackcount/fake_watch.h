// Declares the fake libstack9's events, by their names:
//	whole		10 of 4 stacks: 2 of fake::process, 3 of fake::twin that
//			read the same, 4 whose user stack is another, 1 of a
//			kernel thread
//	odd		5: truncated, without a name, with bytes that are no
//			text, in user mode, a user stack that was refused
//	offcpu		3 of 2 stacks, of 1500 and of 2 times 20 microseconds
//	growing		all of one stack; one more each time they are counted
//	flood		all of one stack, as many as are asked for
//	none		nothing comes
//	many:*		as whole, of two names
// Any other name is ENOENT.
//
// STACK9_FAKE in the environment is a list of words: those of
// tests/stackprint/fake.h, and these:
//	told		it says on stderr what it is called with
//	losing		the tally has a number for everything
//	cutting		it has some that are truncated
//	skipping	it has some that the kernel skipped
//	dropping	12 events are lost before the second
//	interrupt	SIGINT comes when all events have been given
//	twice		with interrupt: two of them
//	terminate	likewise SIGTERM
//	broken		stack9_watch_read() is ENOMEM when they have
//	no-watch	EPERM, with a reason
//	no-reason	EPERM, with what strerror(3) says
//	no-copies	EOPNOTSUPP, unless it is to walk by frame pointers
//	no-walks	EOPNOTSUPP, if it is
//	no-process	ESRCH
//	over		stack9_watch_read() is ESRCH when they have, for the
//			process has ended
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include <sys/types.h>

namespace fake {

struct row {
	pid_t		tid;	// has a role, see tests/stackprint/fake.h
	pid_t		pid;
	std::uint64_t	events;
	std::uint64_t	us;	// in all
};

// False: there is no such event.
bool rows_of(const char *event, std::uint64_t limit, std::vector<row> &);

} // namespace fake
