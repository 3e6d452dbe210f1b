// Says what is true of a stack: by glibc's own backtrace(3) without any code of
// the library, or by construction.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "own_save.h"

inline constexpr std::uint32_t frames_room = 256;

// glibc's answer, or ours, for the function that asks: the first frame is in
// that function, at the call.
struct frames {
	std::uint32_t	depth = 0;
	std::uintptr_t	pcs[frames_room];
};

// Only in a macro are they taken in the function that uses it.
#define	TRUE_FRAMES(f)							\
	((f).depth = static_cast<std::uint32_t>(			\
	    glibc_backtrace(reinterpret_cast<void **>((f).pcs), frames_room)))
#define	OUR_FRAMES(f, rec)						\
	(rec = {}, (rec).pcs = (f).pcs, (rec).max = frames_room,	\
	    (rec).error = own::save_self(&(rec)),			\
	    (f).depth = (rec).depth)

// Not libunwind's of the same name.  Takes no lock, and has found all that it
// needs before main() begins.
extern int (*const glibc_backtrace)(void **, int);

// marked: unwind information or a return address of 0 says that the frame is
// the outermost.  A stack that makecontext() starts has neither.
enum class outermost { marked, unmarked };

// Ends the scenario unless stack9_save_self() and stack_save() find, from here
// outwards, what glibc finds.  No allocation, 7 KiB of stack.
//
// If linkers describe no stubs, as on aarch64, glibc's answer ends at a stub
// that was interrupted.  Then ours has to end with the frames that surely are
// further out: outer's, from its second one on.
[[gnu::noinline]] void must_agree(const char *where,
    outermost = outermost::marked, const frames *outer = nullptr);

// The same unless ours from their_skip on are theirs from our_skip on.
void must_equal(const char *where, const frames &ours, std::uint32_t our_skip,
    const frames &theirs, std::uint32_t their_skip);

// True if both lie in one small function.
bool near(std::uintptr_t, std::uintptr_t);

// So that a frame has this in it, and no call at its end becomes a jump.
inline void
keep(void *in_frame)
{
	asm volatile("" :: "r"(in_frame) : "memory");
}

// Calls last() through eight functions that nobody else calls, with frames of
// different sizes.
template <int N>
[[gnu::noinline]] void
through_fresh(void (*last)())
{
	char frame[16 * (N % 7 + 1)];
	keep(frame);
	if constexpr (N % 8 == 0)
		last();
	else
		through_fresh<N - 1>(last);
	keep(frame);
}
template <int Set>
void
through_new_code(void (*last)())
{
	through_fresh<Set * 8 + 7>(last);
}

// Calls last() from under depth more frames of itself.
[[gnu::noinline]] void under(unsigned int depth, void (*last)(void *),
    void *arg);
// The same from frames of no fixed size: their unwind information needs the
// frame pointer on every CPU.
[[gnu::noinline]] void under_by_fp(unsigned int depth, void (*last)(void *),
    void *arg);
