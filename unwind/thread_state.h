// What the unwinder keeps for a thread: which of its stacks can be read, and
// the memo of its last capture.  At most 36 KiB, of which a capture of 90
// frames touches 4; at most 1024 threads have one, the others do without.
//
// No allocation, no lock, no destructor: states lie in a pool that is mapped
// once, a thread finds its own by a pointer in static thread-local storage
// (that of a dlopen'ed library would be allocated at first touch, perhaps in a
// signal handler), and what a thread left behind goes to the next one that
// needs it, once the kernel says that the thread is gone.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memo.h"
#include "stacks.h"

namespace stack9::unwind {

struct thread_state {
	static constexpr std::size_t size = 9 * 4096;
	static constexpr unsigned int most = 1024;	// threads

	// The token of the capture that uses it, on its stack; nullptr: none.
	const std::uintptr_t *busy = nullptr;
	std::uintptr_t	token = 0;	// its value
	std::uintptr_t	uses = 0;
	std::uintptr_t	entry_fp = 0;	// fp where the walk began
	stacks		known;
	memo		last;

	// The calling thread's, nullptr if it has none.  A system call the
	// first time.  Async-signal-safe.
	static thread_state *mine() noexcept;
	// Bytes of the pool that were ever given to threads, at most.
	static std::size_t pool_size() noexcept { return size * most; }

private:
	static thread_state *acquire() noexcept;
};
static_assert(sizeof(thread_state) <= thread_state::size);

struct thread_pointer {
	thread_state	*state;
	unsigned int	 pause;	// captures until a state is asked for again
};
extern thread_local constinit thread_pointer this_thread
    __attribute__((tls_model("initial-exec")));

inline thread_state *
thread_state::mine() noexcept
{
	return this_thread.state != nullptr ? this_thread.state : acquire();
}

} // namespace stack9::unwind
