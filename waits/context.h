// Declares the finders of kinds, and what they share during one call.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "descriptors_of.h"
#include "process_children.h"
#include "file_lock_table.h"
#include "kernel_functions.h"
#include "lock_functions.h"
#include "memory.h"
#include "open_files.h"
#include "places.h"
#include "sockets.h"
#include "thread_pointers.h"
#include "threads.h"
#include "blocked.h"

namespace stack9::waits {

struct context {
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
	process_children	children;
};

// Adds the thread that the word at an address names by its tid, with that word
// as its proof.
void add_owner(blocked &, context &, std::uint64_t at, std::uint32_t word,
    std::uint32_t tid, bool shared, int role);

// Adds those of these processes that live, each of which may be the one.  If
// there is none, why_none is the reason.
void add_processes(blocked &, context &, const std::vector<pid_t> &, int role,
    const char *why_none);

// Fill in a wait by its system call.  Each is in the file of its kind.
void find_wait(blocked &, context &);		// find.cc: any
void find_futex(blocked &, context &);
// False: the condition variable with this word is not an interpreter's.
bool find_interpreter_lock(blocked &, context &, std::uint64_t word_at);
// False: the thread waits for no lock of its language's machine.
bool find_language_lock(blocked &, context &);
void find_rwlock(blocked &, context &, bool writes);
void find_kernel_lock(blocked &, context &);
bool find_page(blocked &, context &);		// false: it is not a page
void find_descriptor(blocked &, context &);
void find_polled(blocked &, context &);
void find_poll(blocked &, context &);		// poll(2) itself
void find_file_lock(blocked &, context &);
void find_child(blocked &, context &);
void find_vfork(blocked &, context &);
void find_sleep(blocked &, context &);

// Makes the caller's structure.  It points into the blocked thread's.
stack9_wait made_of(const blocked &);

// The process whose core all samples are of; NULL: one of them is not.
kept_process *kept_of(const stack9_sample *const *, std::uint32_t count)
    noexcept;
// Does what stack9_waits() does for samples of a core.
int find_kept(const stack9_sample *const *, std::uint32_t count,
    stack9_wait_fn *, void *arg);

// The time that is left until an absolute time, or the whole of a relative one
// less the time that has passed.  at: of a struct timespec of the process.
void note_time(blocked &, context &, std::uint64_t at, int clock,
    bool absolute);

} // namespace stack9::waits
