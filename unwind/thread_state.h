// Keeps for each thread which of its stacks can be read, and the memo of its
// last capture.  A state has at most 36 KiB, of which a capture of 90 frames
// touches 4, and beside it 262 KiB for stacks that take turns, of which each of
// them touches as much.  At most 1024 threads have a state; the others do
// without.
//
// There is no allocation, no lock and no destructor.  States lie in a pool that
// is mapped once, and their spare memos in pools for 16 states each.  A thread
// finds its state by a pointer in static thread-local storage; dynamic storage
// would be allocated at first touch, perhaps in a signal handler.  A state that
// an ended thread has left goes to the next thread that needs one, once the
// kernel says that the first thread is gone.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memo.h"
#include "spare_memos.h"
#include "stacks.h"

namespace stack9::unwind {

struct thread_state {
	static constexpr std::size_t size = 9 * 4096;
	static constexpr unsigned int most = 1024;	// threads

	// Points to the token of the capture that uses the state, on that
	// capture's stack; nullptr: none does.
	const std::uintptr_t *busy = nullptr;
	std::uintptr_t	token = 0;	// the token's value
	std::uintptr_t	uses = 0;
	std::uintptr_t	entry_fp = 0;	// fp where the walk began
	stacks		known;
	spare_memos	spares;
	memo_of<1136>	last;

	// Makes it as if there had been no capture, for another thread.
	void restart(std::byte *memory_for_spares) noexcept;

	// Gives the calling thread's state, or nullptr.  It makes a system call
	// the first time, and is async-signal-safe.
	static thread_state *mine() noexcept;
	// The size of the pool in bytes.
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
