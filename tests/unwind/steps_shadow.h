// Keeps a shadow stack, the return addresses of a single-stepped thread: it is
// kept from what its instructions do, without any unwind information.
//
// A call pushes the address of the word that it wrote.  Only calls push, and
// only the stack pointer pops, by going above that word: so returns, longjmp()
// and a throw are one case.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <ucontext.h>

namespace steps {

using address = std::uintptr_t;

inline constexpr std::size_t frames_max = 256;

enum class insn : std::uint8_t { other, call, ret, jump, syscall };

insn decode(address pc) noexcept;

struct entry {
	address	slot;		// where the return address is
	address	ra;
	bool	interrupted;	// by a signal: the pc in a signal frame
};

// The change that an instruction made to the stack.
enum class deed : std::uint8_t {
	plain,		// call and return, or neither
	switched,	// frames ended by another load of sp: longjmp(), throw
	landed,		// by a jump or a return after that
	replaced,	// a return address was overwritten: the same
	unexplained,
};
inline constexpr std::size_t deed_count = 5;

class shadow {
public:
	void begin() noexcept;
	deed step(address pc, address sp) noexcept;
	// A handler runs, and is single-stepped from here on.
	void enter_signal(ucontext_t &) noexcept;

	std::size_t depth() const noexcept { return depth_; }
	// 0 is the innermost.
	const entry &
	operator[](std::size_t i) const noexcept
	{
		return entries_[depth_ - 1 - i];
	}

private:
	void push(entry) noexcept;
	std::size_t pop_below(address) noexcept;
	insn executed(address pc, address sp) const noexcept;
	deed explain(insn, address pc, std::size_t gone) noexcept;
	bool refresh() noexcept;

	std::array<entry, frames_max>	entries_{};
	std::size_t			depth_ = 0;
	entry				outermost_gone_{};
	address				pc_ = 0;	// about to be executed
	insn				next_ = insn::other;
	bool				switched_ = false;
};

} // namespace steps
