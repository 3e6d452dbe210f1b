// Declares the finders of kinds, and what they share during one call.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "descriptors_of.h"
#include "families.h"
#include "file_lock_table.h"
#include "kernel_functions.h"
#include "last_runs.h"
#include "lock_functions.h"
#include "memory.h"
#include "open_files.h"
#include "places.h"
#include "sockets.h"
#include "thread_pointers.h"
#include "threads.h"
#include "waiter.h"

namespace stack9::waits {

struct world {
	memory		words;
	threads		people;
	thread_pointers	pointers;
	lock_functions	functions;
	kernel_functions kernel;
	places		where;
	open_files	files;
	descriptors_of	descriptors;
	sockets		ends;
	file_lock_table	locks;
	families	children;
	last_runs	runs;
};

// Adds the thread that the word at an address names by its tid, with that word
// as its proof.
void add_owner(waiter &, world &, std::uint64_t at, std::uint32_t word,
    std::uint32_t tid, bool shared, int role);

// Adds those of these processes that live, each of which may be the one.  If
// there is none, why_none is the reason.
void add_processes(waiter &, world &, const std::vector<pid_t> &, int role,
    const char *why_none);

// Fill in a wait by its system call.  Each is in the file of its kind.
void find_wait(waiter &, world &);		// find.cc: any
void find_futex(waiter &, world &);
// False: the condition variable with this word is not an interpreter's.
bool find_interpreter_lock(waiter &, world &, std::uint64_t word_at);
// False: the thread waits for no lock of its language's machine.
bool find_language_lock(waiter &, world &);
void find_rwlock(waiter &, world &, bool writes);
void find_kernel_lock(waiter &, world &);
bool find_page(waiter &, world &);		// false: it is not a page
void find_descriptor(waiter &, world &);
void find_polled(waiter &, world &);
void find_poll(waiter &, world &);		// poll(2) itself
void find_file_lock(waiter &, world &);
void find_child(waiter &, world &);
void find_vfork(waiter &, world &);
void find_sleep(waiter &, world &);

// Makes the caller's structure.  It points into the waiter.
stack9_wait made_of(const waiter &);

// The process whose core all samples are of; NULL: one of them is not.
kept_process *kept_of(const stack9_sample *const *, std::uint32_t count)
    noexcept;
// Does what stack9_waits() does for samples of a core.
int find_kept(const stack9_sample *const *, std::uint32_t count,
    stack9_wait_fn *, void *arg);

// The time that is left until an absolute time, or the whole of a relative one
// less the time that has passed.  at: of a struct timespec of the process.
void note_time(waiter &, world &, std::uint64_t at, int clock, bool absolute);

} // namespace stack9::waits
