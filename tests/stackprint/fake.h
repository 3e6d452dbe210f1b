// The fake libstack9's threads: one for each thing that can become of a
// capture.  Their tids are above PID_MAX_LIMIT (4194304), so that no real
// thread has them.  Any other tid is whoever has it, with a whole stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

namespace fake {

enum : pid_t {
	process = 5000000,	// has all of the threads from whole to hostile
	whole,		// sleeps: schedule, ep_poll, nft_do_chain [nf_tables]
	at_end,		// a return address just behind a function's last byte
	interrupted,	// the first pc is one, a function's first byte
	text,		// names and no addresses
	nameless,	// in addresses that no symbol covers
	truncated,	// 3 frames, 2 dropped
	torn_short,	// 1 frame, the rest could not be unwound
	user_mode,	// EAGAIN
	torn,		// EAGAIN
	zombie,		// ESRCH, and /proc has no name for it
	refused,	// EPERM
	impossible,	// EOPNOTSUPP
	hostile,	// its name and its function's clear the screen
	end,
	deep = 5000050,	// 40 frames
	crowd = 5000100,	// a process of crowd_size threads like whole
	vanishing,	// a process whose threads are all gone
	crowd_size = 2000,
};

} // namespace fake

// STACK9_FAKE, a list of words in the environment:
//	names-hidden	every name is EPERM
//	no-pass		stack9_each() is EPERM
//	no-end		stack9_each() fails with EMFILE behind the last thread
//	no-rights	every capture and every route is EPERM
//	no-jobs		every route is EOPNOTSUPP
//	half		the last job's route is EPERM
//	turn		stack9_save() sends its thread SIGUSR1 and waits until
//			it is no longer dumpable
