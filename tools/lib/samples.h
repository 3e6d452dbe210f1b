// Keeps the sample of a thread, and says by its stacks what became of the
// thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>

#include <stack9.h>

#include "tools/model/stack.h"

namespace tools {

// These take over a sample and have the library close it.  NULL: there was no
// memory.
std::shared_ptr<const stack9_sample> held(stack9_sample *);
sample_ptr owned(stack9_sample *);

// A lent sample is copied.
sample_ptr kept(const sample_ptr &);

// Each thread is exactly one of these.  The first ones have more of a stack.
enum class outcome {
	captured,	// every stack that exists and is asked for is whole
	partial,	// some frames are there, others are missing
	without,	// the side that is asked for has no stack
	failed,		// not possible on this system, or not just now
	refused,	// possible with more rights
	gone,		// dead, or it never existed
};
outcome outcome_of(const sample &);

// True if the thread has no such stack: it is in user mode, or it is a kernel
// thread.
bool is_absent(const stack &);

// True for a kernel thread: it has no user stack to speak of.
bool is_kernel_thread(const sample &);

// True if the thread was stopped while its stack was copied.
bool is_by_ptrace(const stack &);
bool is_of_core(const stack &);

// True if frame i is the pc of a thread that was captured where it was.
inline bool
is_exact(const stack &s, std::uint32_t i)
{
	return i == 0 && (s.flags & STACK9_STACK_EXACT);
}

struct space_closer {
	void operator()(stack9_space *s) const { stack9_space_close(s); }
};
using unique_space = std::unique_ptr<stack9_space, space_closer>;

} // namespace tools
