// Declares threads that note their own callers, then sleep or spin.  victim.cc
// is compiled several times, each in a namespace of its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <semaphore.h>

enum class deed {
	futex, poll, read, nanosleep, epoll, sem,	// sleep until released
	call,						// what the orders say
	spin, spin_vdso, spin_syscall,			// until released
};

struct orders {
	deed			 what = deed::read;
	std::size_t		 ballast = 0;	// bytes of stack beneath
	int			 fds[2] = {-1, -1};	// written to release
	sem_t			 semaphore;
	std::atomic<std::uint32_t> word{0};	// 1: released
	std::atomic<bool>	 ready{false};
	std::atomic<std::uint64_t> returned{0};	// blocking calls that did
	std::atomic<std::uint64_t> rounds{0};	// of a spin
	std::vector<std::uintptr_t> truth;	// innermost first
	// The return addresses of inner, middle, outer and obey, as they say.
	std::array<std::uintptr_t, 4> returns{};
	void			 (*call)(orders &) = nullptr;
};

// Return addresses of the calling function's callers, by glibc.
void note_truth(std::vector<std::uintptr_t> &, std::uintptr_t first);

#define	RETURN_ADDRESS()						\
	reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

namespace lean {
void obey(orders &);
void save_fp_and_read(orders &);	// its caller's frame pointer, that is
}
namespace plain { void obey(orders &); }
namespace bare { void obey(orders &); }		// a frame pointer only
namespace blind { void obey(orders &); }	// nothing to go by
