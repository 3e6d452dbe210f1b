// Finds what the machine has noted of a thread: where its frames of Java end
// while it runs other code.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "languages/runtime.h"

#include "layout.h"

namespace stack9::languages::java {

// The innermost frame of Java on a stack.  sp 0: there is none.
struct anchor {
	std::uint64_t	sp = 0, pc = 0, fp = 0;
};

// Gives the JavaThreads of a process.  Throws std::bad_alloc.
std::vector<std::uint64_t> all_threads(unwind::memory &, const layout &);

// Gives the thread pointer of a JavaThread, as the ABI has it; 0: it is not
// known.
std::uint64_t pointer_of(unwind::memory &, const layout &,
    std::uint64_t thread) noexcept;

// Gives the JavaThread of the thread that is asked for, by the ABI's thread
// pointer or, without one, by its id; 0: it is none of the machine's.  Throws
// std::bad_alloc.  all: the JavaThreads that there are.  is_sure: it is one of
// them; of others it is enough that it was none when these were read last.
std::uint64_t find_thread(const question &, const layout &,
    const std::vector<std::uint64_t> &all, bool is_sure);

// Reads the anchor at an address.  False: there is none.
bool read_anchor(unwind::memory &, const layout &, std::uint64_t at, anchor &);

} // namespace stack9::languages::java
