// Which memory of this thread's stacks a walk may read: it reads plain memory,
// so all of it has to be known to be mapped.
//
// The stack that the thread was started on is, from where it runs to the end,
// as long as it lives: its home.  Any other (sigaltstack(2), ucontext,
// coroutines) may be unmapped at any time when the thread is not on it, so
// that nothing is remembered of it: each walk asks anew for each page but the
// one that the thread is just using.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory.h"

namespace stack9::unwind {

struct range {
	std::uintptr_t	low = 0;
	std::uintptr_t	high = 0;	// exclusive

	bool
	holds(std::uintptr_t at) const noexcept
	{
		return at - low < high - low;
	}
};

// Whether this is an address as stacks have it: of 48 bits, as the memo does
// and as Linux gives nobody more who does not ask for it.
constexpr bool
could_be_stack(std::uintptr_t sp) noexcept
{
	return sp >> 48 == 0;
}

// Whether the word at this address can be read: a system call that fails in
// one way if it can and in another if not, 0.1 us.
bool probe(std::uintptr_t at) noexcept;

// Lets a range reach to end, if all of it can be read.
bool grow(range &, std::uintptr_t end) noexcept;

class stacks {
public:
	// The range of the stack that the thread runs on: sp is its own, or was
	// a moment ago.
	range &
	enter(std::uintptr_t sp) noexcept
	{
		return home_.holds(sp) ? home_ : discover(sp, whose::ours);
	}

	// That of a stack to which a signal frame leads: sp may be anything.
	range &cross(std::uintptr_t sp) noexcept;

	bool is_home(const range &r) const noexcept { return &r == &home_; }

private:
	// Where an sp is from: only the thread's own is surely on a stack.
	enum class whose : bool { ours, a_signal_frames };
	range &discover(std::uintptr_t sp, whose) noexcept;
	bool find_home(std::uintptr_t sp, whose) noexcept;

	range	home_;
	range	elsewhere_;	// of this walk
	range	foreign_;	// found not to be part of home
};

// This process's memory, for full stepping: asks for each page.
class own_memory final : public memory {
public:
	bool read(std::uintptr_t from, void *to, std::size_t size) noexcept
	    override;

private:
	std::uintptr_t	page_ = 1;	// known to be readable
};

} // namespace stack9::unwind
