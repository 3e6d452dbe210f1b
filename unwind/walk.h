// Declares the walks from a frame to the outermost one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "code.h"
#include "frame.h"
#include "full.h"

namespace stack9::unwind {

struct walked {
	std::uint32_t	depth = 0;	// frames in pcs
	std::uint32_t	dropped = 0;	// further frames, if counted
	outcome		how = outcome::stepped;	// why it ended
	bool		guessed = false;	// a frame pointer was trusted
};

// The most frames that a walk may have; a cycle ends there at the latest.
inline constexpr std::uint32_t frames_max = 1 << 20;

enum class counting : bool { no, yes };	// whether to go on past max

// Walks the calling thread's own stack from a frame of it on; pcs[0] is the
// frame's pc.  A frame takes from a fraction of a nanosecond to a few.  It
// takes no lock, allocates nothing, makes no system call once warm, keeps
// errno, needs 4 KiB of stack and is async-signal-safe.
walked walk_own(const frame &, std::uintptr_t *pcs, std::uint32_t max,
    counting) noexcept;
// Does the same if only the frames that pcs holds are wanted.  The frame and
// the result are passed in registers, because the walk would wait for memory.
struct quick_walk {
	std::uint32_t	depth;
	std::uint32_t	whole;	// to the outermost frame, without a guess; as
				// wide as depth, so that both are one word
};
quick_walk walk_own(std::uintptr_t pc, std::uintptr_t sp, std::uintptr_t fp,
    std::uintptr_t *pcs, std::uint32_t max) noexcept;

// Notes that the calling thread goes on on the stack of [low, high).  The stack
// stays mapped until the next call; low and high may be equal: nothing is known
// of it.  Threads that have not captured yet take no note.  Async-signal-safe.
void switch_stack(std::uintptr_t low, std::uintptr_t high) noexcept;

// Finds the frame of this thread whose pc is this return address, from the
// given frame on.  False, and the frame unchanged: it is not among the next
// few.
bool walk_out(std::uintptr_t pc, frame &) noexcept;

// Walks, in a signal handler, the stack that the signal interrupted; pcs[0] is
// the interrupted pc.  The rest is as for walk_own().
walked walk_interrupted(const ucontext_t &, std::uintptr_t *pcs,
    std::uint32_t max) noexcept;

// Walks a stack that is read through a memory, from registers that need not all
// be known.  pcs[0] is their pc.  dropped is 1 if there are more than max
// frames.  Only the memory and the code may take locks or allocate.
walked walk_memory(code &, memory &, registers, std::uintptr_t *pcs,
    std::uint32_t max) noexcept;

// Does the same for a stack of this process.
walked walk_memory(memory &, registers, std::uintptr_t *pcs,
    std::uint32_t max) noexcept;

// Walks this thread's stack by full stepping, for frames that no rule
// describes.  pcs[0] is the registers' pc.  It ends as strayed only where the
// memory of the stack ends.
walked walk_rows(registers, std::uintptr_t *pcs, std::uint32_t max, counting)
    noexcept;

// Does the same from a frame of this thread on.  The frame's other registers
// are found by walking out to it from here.
walked walk_rows_from(const frame &, std::uintptr_t *pcs, std::uint32_t max,
    counting) noexcept;

} // namespace stack9::unwind
