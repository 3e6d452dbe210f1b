// Holds a thread's state for one capture at a time.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "thread_state.h"

namespace stack9::unwind {

// A signal handler that interrupts a capture does without the state.  A capture
// that a handler left by longjmp(3) never releases the state, but then its
// frame is gone, and its token is not where it was.
class use_of_state {
public:
	// token: on the capture's stack, and as long as this is.  It is not a
	// member, because its address is passed on: what a member holds would
	// be read again from memory.
	use_of_state(thread_state *s, std::uintptr_t &token) noexcept
	    : state_(is_free(s) ? s : take_over(s))
	{
		if (state_ == nullptr) [[unlikely]]
			return;
		token = ++state_->uses ^ reinterpret_cast<std::uintptr_t>(s);
		state_->token = token;
		std::atomic_signal_fence(std::memory_order_seq_cst);
		state_->busy = &token;
		std::atomic_signal_fence(std::memory_order_seq_cst);
	}
	~use_of_state()
	{
		std::atomic_signal_fence(std::memory_order_seq_cst);
		if (state_ != nullptr) [[likely]]
			state_->busy = nullptr;
	}
	use_of_state(const use_of_state &) = delete;
	use_of_state &operator=(const use_of_state &) = delete;

	thread_state *get() const noexcept { return state_; }

private:
	static bool
	is_free(const thread_state *s) noexcept
	{
		if (s != nullptr && s->busy == nullptr) [[likely]]
			return true;
		return false;
	}
	static thread_state *take_over(thread_state *) noexcept;

	thread_state *const state_;
};

} // namespace stack9::unwind
