// Declares the fake libstack9's threads: one for each thing that can become of
// a capture.  Their tids are above PID_MAX_LIMIT (4194304), so that no real
// thread has them.  Any other tid is that of a real thread, with a whole stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <sys/types.h>

namespace fake {

// The user addresses of process; those of others are twin_shift higher.
inline constexpr std::uintptr_t program = 0x555555554000;
inline constexpr std::uintptr_t libc = 0x7ffff7a00000;
// Without unwind information.
inline constexpr std::uintptr_t odd = 0x7ffff6000000;
inline constexpr std::uintptr_t anonymous = 0x7fff00000000;
inline constexpr std::uintptr_t twin_shift = 0x1000000;

bool asked_for(const char *word);

// For the word rights.
void report_rights(const char *what);

// For the word turn.
void turn(pid_t);

enum : pid_t {
	process = 5000000,	// has all from whole to by_ptrace
	whole,		// sleeps: schedule, ep_poll, nft_do_chain [nf_tables]
	at_end,		// a return address just after a function's last byte
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
	kthread,	// a kernel thread
	registers,	// user stack: an outer frame needs unknown registers
	traced,		// user stack: EBUSY, by its own process
	by_pointers,	// user stack: complete, by frame pointers in part
	user_refused,	// user stack: EPERM; the kernel's is whole
	dying,		// exiting: it has a kernel stack and no user stack
	by_ptrace,	// user stack: whole, by ptrace(2)
	end,
	deep = 5000050,	// 40 frames, on each side
	away,		// --async: it does not return to user space
	slow,		// --async: it does, after a while
	ending,		// --async: it ends instead
	ended,		// --async: it had ended before it was submitted
	young,		// --async: EAGAIN
	taken_back,	// --async: ECANCELED
	async_end,
	crowd = 5000100,	// a process of crowd_size threads like whole
	vanishing,	// a process whose threads are all gone
	twin,		// a process of twin_size threads like whole, of the
			// same program at other addresses
	crowd_size = 2000,
	twin_size = 3,
	mass = 6000000,	// and above: threads like whole
};

inline constexpr int roles = end - whole;

} // namespace fake

// STACK9_FAKE, a list of words in the environment:
//	names-hidden	every name is EPERM
//	no-pass		stack9_each() is EPERM
//	no-end		stack9_each() fails with EMFILE after the last thread
//	no-rights	every capture and every route is EPERM
//	no-jobs		every route is EOPNOTSUPP
//	half		one job's only route is EPERM
//	turn		stack9_save() and stack9_async_submit() send their
//			thread SIGUSR1 and wait until it is no longer dumpable
//	no-kernel	every kernel stack is EPERM, and so is a pass
//	rights		a capture of a user stack, a submission, and a space
//			when it is opened or asked, say on stderr with what
//			rights
//	caps-fail-at-N	the Nth cap_get_proc() fails, and says so on stderr
//	no-ptrace	stack9_force() knows no route ptrace
//	no-async	stack9_async_open() is EOPNOTSUPP; with no-rights EPERM
//	no-task-work	for asynchronous captures there is only a second route
//	two-slots	two captures may be held at once
//	no-slots	none may
//	interrupt	SIGINT comes when the captures that are held do not end
//	left-out	files were left out: by their limits, for want of
//			descriptors
//	no-descriptors	for want of descriptors alone
//	limits		the factor of the limits is printed on stderr
//	async-told	it says on stderr what is submitted, and what was held
