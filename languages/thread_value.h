// Finds what a thread of another process keeps for a key of POSIX.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "unwind/memory.h"

namespace stack9::languages {

// Gives the value of pthread_getspecific(3).  glibc has, in the descriptor that
// the thread pointer leads to on x86-64, an array of pointers to blocks of 32
// pairs, of a number and the value.  False: it cannot be read.
inline bool
thread_value(unwind::memory &m, std::uint64_t thread_pointer,
    std::uint32_t key, std::uint64_t &value) noexcept
{
	constexpr std::uint64_t blocks = 0x510;
	constexpr std::uint32_t most_keys = 1024, in_block = 32;
	std::uint64_t block;
	return thread_pointer != 0 && key < most_keys &&
	    m.word(thread_pointer + blocks + 8 * (key / in_block), block) &&
	    block != 0 && m.word(block + 16 * (key % in_block) + 8, value);
}

} // namespace stack9::languages
