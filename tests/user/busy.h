// Defines what the busy program and its observer both know: the call chains of
// its threads, and the page on which it says who they are.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include <sys/types.h>

namespace busy {

// The things that a thread does, by turns.
enum class life {
	wakes,		// each millisecond: naps, dozes, works
	spins,		// in user mode: spins, turns
	calls,		// the kernel all the time: asks, puts
	flips,		// with its partner: gives, takes
};

// A chain of functions nap_1, nap_2, nap_3, of which the last calls libc, or
// never leaves the program.  No two chains have a function in common.
struct chain {
	const char	*stem;
	int		 length;
	const char	*leaf;	// what it calls in libc, or NULL
	life		 whose;
};
inline constexpr chain chains[] = {
	{"nap", 3, "clock_nanosleep", life::wakes},
	{"doze", 2, "poll", life::wakes},
	{"work", 2, "clock_gettime", life::wakes},
	{"spin", 2, nullptr, life::spins},
	{"turn", 4, nullptr, life::spins},
	{"ask", 2, "getppid", life::calls},
	{"put", 3, "write", life::calls},
	{"give", 3, "write", life::flips},
	{"take", 1, "read", life::flips},
};

// Each thread's outermost function is its own: root_0, root_1...
inline constexpr life lives[] = {life::wakes, life::wakes, life::wakes,
    life::spins, life::calls, life::flips, life::flips};
inline constexpr int threads = sizeof lives / sizeof lives[0];

struct page {
	struct thread {
		std::atomic<pid_t>		tid;
		std::atomic<std::uint64_t>	rounds;	// 1: in its root
		// Outside the root, by glibc's backtrace(): the return address
		// in begin() is another, for it is called elsewhere.
		std::atomic<int>		outer_count;
		std::uintptr_t			outer[8];
	} of[threads];
};

} // namespace busy
