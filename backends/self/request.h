// Requests to running threads: the handler that answers them, and the pool
// through which the two sides meet.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include <signal.h>
#include <sys/types.h>

#include "unwind/walk.h"

namespace stack9::self {

// One request.  word is generation << 3 | phase; the generation makes the
// signal of an earlier request, delivered late, find nothing to answer.
struct request {
	enum phase : std::uint32_t {
		idle,		// nobody's
		taken,		// the asker's, being prepared
		asked,		// the asker's; the handler may take it
		writing,	// the handler's
		done,		// the asker's again
		forsaken,	// the handler's, and idle when it is through
	};

	std::atomic<std::uint32_t>	 word{idle};
	pid_t				 tid = 0;	// who is asked
	std::uint32_t			 max = 0;	// for how many frames
	std::uintptr_t			*pcs = nullptr;	// the answer; stays
	unwind::walked			 answer;	// depth 0: not tid's
};

// Takes an idle request, with a buffer for max frames, or for as many as it
// ever holds; nullptr: none idle, or (error set) no memory.
request *take_request(pid_t tid, std::uint32_t max, int &error) noexcept;

// What the signal of r carries.
sigval value_of(const request &r) noexcept;

// Waits until r is answered, at most until deadline (CLOCK_MONOTONIC).  False:
// it was not; r may still become so.
bool await(request &r, const timespec &deadline) noexcept;

// Gives r up.  False: it was answered at the last moment and stays the asker's.
bool forsake(request &r) noexcept;
void release(request &r) noexcept;

// The SA_SIGINFO handler.
void answer_request(int, siginfo_t *, void *) noexcept;

} // namespace stack9::self
