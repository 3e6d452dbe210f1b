// Walks: from a frame to the outermost one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "code.h"
#include "full.h"

namespace stack9::unwind {

struct walked {
	std::uint32_t	depth = 0;	// frames in pcs
	std::uint32_t	dropped = 0;	// frames behind them, where counted
	outcome		how = outcome::stepped;	// why it ended
	bool		guessed = false;	// a frame pointer was trusted
};

// How many frames a walk may have: a cycle ends there, if nowhere else.
inline constexpr std::uint32_t frames_max = 1 << 20;

// Where a walk of this thread's own stack begins: a return address, and the
// stack and frame pointers once it has returned.
struct frame {
	std::uintptr_t	pc;
	std::uintptr_t	sp;
	std::uintptr_t	fp;
};

enum class counting : bool { no, yes };	// go on where there is no more room

// The calling thread's own stack from a frame of it on; pcs[0] is its pc.
// A fraction of a nanosecond to a few a frame; no lock, no allocation, no
// system call once warm.  Async-signal-safe, 4 KiB of stack; keeps errno.
walked walk_own(const frame &, std::uintptr_t *pcs, std::uint32_t max,
    counting) noexcept;
// The same, where only the number of frames in pcs is wanted.  The frame is in
// registers: through memory it would be waited for.
std::uint32_t walk_own(std::uintptr_t pc, std::uintptr_t sp, std::uintptr_t fp,
    std::uintptr_t *pcs, std::uint32_t max) noexcept;

// The frame of this thread's whose pc is this return address, looking for it
// from a frame on; false, and unchanged, if it is not among the next few.
bool walk_out(std::uintptr_t pc, frame &) noexcept;

// The stack that a signal interrupted, in its handler; pcs[0] is the pc at
// which it did.  As walk_own().
walked walk_interrupted(const ucontext_t &, std::uintptr_t *pcs,
    std::uint32_t max) noexcept;

// A stack that is read through a memory, from registers that need not all be
// known.  pcs[0] is their pc.  dropped is 1 where there are more than max.
// No lock and no allocation but the memory's and the code's.
walked walk_memory(code &, memory &, registers, std::uintptr_t *pcs,
    std::uint32_t max) noexcept;

// The same for a stack of this process.
walked walk_memory(memory &, registers, std::uintptr_t *pcs,
    std::uint32_t max) noexcept;

} // namespace stack9::unwind
