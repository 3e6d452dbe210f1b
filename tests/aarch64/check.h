// Declares scenarios, of which the programs here are made, and their checks.
// Each scenario has a sentence.  The programs need no libraries: most machines
// have none for another CPU.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <ucontext.h>

#include "unwind/walk.h"

struct scenario {
	scenario(const char *what, void (*how)()) noexcept;
	const char	*sentence;
	void		(*run)();
	const scenario	*next = nullptr;
};

#define	SCENARIO(name, sentence)					\
	static void name();						\
	static const scenario scenario_##name(sentence, name);		\
	static void name()

// Fails the scenario and lets it go on.  The first few words of it are printed.
void must(bool, const char *what);

inline constexpr std::uint32_t frames_room = 512;

struct frames {
	std::uint32_t	depth = 0;
	std::uintptr_t	pcs[frames_room];
};

// As STACK9_ORIGIN (core/seam/backend.h): the caller's frame.
#define	CALLER()							\
	(stack9::unwind::frame{						\
	    reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), \
	    reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()),	\
	    *static_cast<std::uintptr_t *>(__builtin_frame_address(0))})

// The scenario fails unless walk_own() finds, from here outwards, what glibc's
// backtrace(3) finds, each time of times.
[[gnu::noinline]] void must_agree(const char *where, int times = 1);

// Answers how many of their frames come before the pc that ours begins with.
// The scenario fails unless the rest is the same.
std::uint32_t must_continue(const char *where, const frames &ours,
    const frames &theirs);

// In a signal handler: walk_interrupted(), walk_memory() and walk_own() find
// what backtrace(3) finds.
[[gnu::noinline]] void must_agree_interrupted(const char *where,
    const ucontext_t &);

// So that a frame has this in it, and no call at its end becomes a jump.
inline void
keep(void *in_frame) noexcept
{
	asm volatile("" :: "r"(in_frame) : "memory");
}

// Calls last() through frames of all sorts, as many as depth.
void through_frames(int depth, void (*last)());
