// Keeps the sample of a thread, and says by its stacks what became of the
// thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <new>

#include <stack9.h>

namespace tools {

// Owns a sample, or nothing if the sample is lent.
using sample_ptr = std::shared_ptr<const stack9_sample>;

inline sample_ptr
owned(stack9_sample *s)
{
	if (s == nullptr)
		throw std::bad_alloc();
	return {s, stack9_sample_close};
}

inline sample_ptr
lent(const stack9_sample *s)
{
	return {sample_ptr(), s};
}

// A lent sample is copied.
inline sample_ptr
kept(const sample_ptr &s)
{
	return s.use_count() != 0 ? s : owned(stack9_sample_hold(s.get()));
}

// Gives the name that the runtime of a language has for the thread; "".
inline const char *
own_name(const stack9_sample &s) noexcept
{
	return s.user != nullptr && s.user->thread_name != nullptr ?
	    s.user->thread_name : "";
}

// Each thread is exactly one of these.
enum class outcome {
	captured,	// every stack that exists and is asked for is whole
	partial,	// some frames are there, others are missing
	without,	// the side that is asked for has no stack
	failed,		// not possible on this system, or not just now
	refused,	// possible with more rights
	gone,		// dead, or it never existed
};
outcome outcome_of(const stack9_sample &);

// True if the thread has no such stack: it is in user mode, or it is a kernel
// thread.
bool is_absent(const stack9_stack &);

// True for a kernel thread: it has no user stack to speak of.
bool is_kernel_thread(const stack9_sample &);

// True if the thread was stopped while its stack was copied.
bool is_by_ptrace(const stack9_stack &);
bool is_of_core(const stack9_stack &);

// True if frame i is the pc of a thread that was captured where it was.
inline bool
is_exact(const stack9_stack &s, std::uint32_t i)
{
	return i == 0 && (s.flags & STACK9_STACK_EXACT);
}

struct space_closer {
	void operator()(stack9_space *s) const { stack9_space_close(s); }
};
using unique_space = std::unique_ptr<stack9_space, space_closer>;

} // namespace tools
