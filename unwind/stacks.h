// Keeps which memory of this thread's stacks a walk may read.  The walk reads
// memory directly, so all of it has to be known to be mapped.
//
// The stack that the thread was started on is its home.  From the place where
// the thread runs to the end, the home is mapped as long as the thread lives.
// Any other stack (sigaltstack(2), ucontext, coroutines) may be unmapped at any
// time when the thread is not on it.  So nothing is remembered of it: each walk
// asks again for each page, except the page that the thread is just using.
// Only who switches stacks can say more: a stack that switch_stack() got is
// mapped until the thread's next call.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory.h"

namespace stack9::unwind {

struct range {
	std::uintptr_t	low = 0;
	std::uintptr_t	high = 0;	// exclusive
	bool		closed = false;	// never to be extended

	friend constexpr bool operator==(const range &, const range &)
	    noexcept = default;
	bool
	holds(std::uintptr_t at) const noexcept
	{
		return at - low < high - low;
	}
};

// Returns true if a stack can have this address.  It has 48 bits: the memo
// holds no more, and Linux gives higher addresses only to programs that ask for
// them.
constexpr bool
could_be_stack(std::uintptr_t sp) noexcept
{
	return sp >> 48 == 0;
}

// Returns true if the word at this address can be read.  It finds out by a
// system call that fails in one way if it can and in another way if it cannot.
// It takes 0.1 us.
bool probe(std::uintptr_t at) noexcept;

// Returns true if the memory of a stack ends a few words above the address.
bool ends_above(std::uintptr_t cfa) noexcept;

// Extends a range to end, if all of it can be read.
bool grow(range &, std::uintptr_t end) noexcept;

class stacks {
public:
	// Gives the range of the stack that the thread runs on.  sp is the
	// thread's own, or was a moment ago.
	range &
	enter(std::uintptr_t sp) noexcept
	{
		return home_.holds(sp) ? home_ : is_switched_to(sp) ?
		    switched_ : discover(sp, whose::ours);
	}

	// Gives the range of the stack to which a signal frame leads.  sp may
	// be anything.
	range &cross(std::uintptr_t sp) noexcept;

	// Notes that the thread goes on on this stack.  An empty range: on one
	// of which nothing is known.  A handler that comes in between finds no
	// such stack.
	void
	switch_to(std::uintptr_t low, std::uintptr_t high) noexcept
	{
		switched_.closed = false;
		std::atomic_signal_fence(std::memory_order_seq_cst);
		switched_.low = low;
		switched_.high = high;
		std::atomic_signal_fence(std::memory_order_seq_cst);
		switched_.closed = true;
	}
	// Returns true if the address is on the stack of switch_stack(), and
	// not at home.
	bool
	is_switched_to(std::uintptr_t sp) const noexcept
	{
		return switched_.closed && switched_.holds(sp) &&
		    !home_.holds(sp);
	}
	// Forgets what was found out, and not the stack of switch_stack().
	void
	forget() noexcept
	{
		home_ = elsewhere_ = foreign_ = {};
	}
	// The stacks whose frames may be remembered.
	const range &home() const noexcept { return home_; }
	const range &switched() const noexcept { return switched_; }

private:
	// Names the source of an sp: only the thread's own is surely on a
	// stack.
	enum class whose : bool { ours, a_signal_frames };
	range &discover(std::uintptr_t sp, whose) noexcept;
	bool find_home(std::uintptr_t sp, whose) noexcept;

	range	home_;
	range	switched_;
	range	elsewhere_;	// for this walk only
	range	foreign_;	// found not to be part of home
};

// Reads this process's memory for full stepping, and asks for each page.
class own_memory final : public memory {
public:
	bool read(std::uintptr_t from, void *to, std::size_t size) noexcept
	    override;

private:
	std::uintptr_t	page_ = 1;	// known to be readable
};

} // namespace stack9::unwind
