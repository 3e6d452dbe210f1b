// Declares requests to running threads, the pool that holds them, the signal
// that asks the threads, and the handler that answers.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include <signal.h>
#include <sys/types.h>

#include "unwind/walk.h"

namespace stack9::self {

// One request. word is generation << 3 | phase.  Because of the generation, the
// late signal of an earlier request finds nothing to answer.
struct request {
	enum phase : std::uint32_t {
		idle,		// no owner
		taken,		// the asker prepares it
		asked,		// the handler may take it
		writing,	// the handler owns it
		done,		// the asker owns it again
		forsaken,	// the handler makes it idle when it is done
	};

	std::atomic<std::uint32_t>	 word{idle};
	pid_t				 tid = 0;	// the asked thread
	std::uint32_t			 max = 0;	// for how many frames
	std::uintptr_t			*pcs = nullptr;	// the answer; stays
	unwind::walked			 answer;	// depth 0: not tid's
};

// Takes an idle request with a buffer for max frames, or for the most frames
// that a request holds. nullptr: none is idle, or (error set) there is no
// memory.
request *take_request(pid_t tid, std::uint32_t max, int &error) noexcept;

// The value that the signal of r carries.
sigval value_of(const request &r) noexcept;

// Waits until r is answered, at most until deadline (CLOCK_MONOTONIC).  False:
// it is not answered yet, and may still be.
bool await(request &r, const timespec &deadline) noexcept;

// Gives r up.  False: it was answered at the last moment, and the asker still
// owns it.
bool forsake(request &r) noexcept;
void release(request &r) noexcept;

// The SA_SIGINFO handler.
void answer_request(int, siginfo_t *, void *) noexcept;

// The signal that the handler is for.
int chosen_signal() noexcept;
// True if nobody else has set a handler for it.
bool signal_is_free() noexcept;
// Installs our handler.  0; EBUSY: another handler is installed.
int install_handler() noexcept;

} // namespace stack9::self
