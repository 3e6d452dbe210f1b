// Finds what a thread of another process keeps for a key of POSIX.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "unwind/memory.h"

namespace stack9::languages {

// glibc has, in the descriptor that the thread pointer leads to on x86-64, an
// array of pointers to blocks of 32 pairs, of a number and the value.
inline constexpr std::uint32_t most_keys = 1024, keys_of_block = 32;

constexpr std::uint16_t
block_of_key(std::uint32_t key) noexcept
{
	return static_cast<std::uint16_t>(0x510 + 8 * (key / keys_of_block));
}

constexpr std::uint16_t
value_of_key(std::uint32_t key) noexcept
{
	return static_cast<std::uint16_t>(16 * (key % keys_of_block) + 8);
}

// Gives the value of pthread_getspecific(3).  False: it cannot be read.
inline bool
thread_value(unwind::memory &m, std::uint64_t thread_pointer,
    std::uint32_t key, std::uint64_t &value) noexcept
{
	std::uint64_t block;
	return thread_pointer != 0 && key < most_keys &&
	    m.word(thread_pointer + block_of_key(key), block) && block != 0 &&
	    m.word(block + value_of_key(key), value);
}

} // namespace stack9::languages
