// Passes the frames of one walk that no unwind information describes, and those
// whose frame pointer is not known.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "code.h"
#include "memory.h"
#include "outcome.h"
#include "registers.h"

namespace stack9::unwind {

class passing {
public:
	passing(code &program, memory &words) noexcept
	    : program_(program), words_(words) {}

	// Takes the outcome of a step by unwind information.  If there was
	// none, or not the register that it needs, steps without it, as far as
	// the stack supports that.  If it does not, the registers stay as they
	// were.
	outcome
	or_pass(outcome how, registers &now) noexcept
	{
		if (how == outcome::no_register)
			return pass_without_fp(now);
		return how == outcome::no_info ? pass(now) : how;
	}
	// Returns true if a frame pointer was trusted, or worked out.
	bool guessed() const noexcept { return guessed_; }

private:
	static constexpr std::uint32_t most_lost_frames = 512;

	enum class lead : std::uint8_t { out, nowhere, unread };

	outcome pass(registers &) noexcept;
	outcome pass_without_fp(registers &) noexcept;
	bool leave_with_fp(const row &, std::uintptr_t fp, registers &)
	    noexcept;
	outcome leave_system_call(registers &) noexcept;
	outcome leave_straight(registers &) noexcept;
	bool is_called(const registers &) noexcept;
	bool is_made(const registers &) noexcept;
	bool is_described(const registers &) noexcept;
	bool leads_on(const registers &) noexcept;
	lead leave(registers &) noexcept;
	lead leave_made(registers &) noexcept;
	lead leave_by_fp(registers &) noexcept;
	lead find_lead(const registers &) noexcept;

	code		&program_;
	memory		&words_;
	// Made code whose frames are below this address leads out.
	std::uintptr_t	led_ = 0;
	// The stack pointer that an interpreter's frame has noted of its
	// caller, beside the one after the frame; 0: none.
	std::uintptr_t	noted_sp_ = 0;
	// Frames that were left in searches for a lead that found none.
	std::uint32_t	lost_frames_ = 0;
	bool		guessed_ = false;
};

} // namespace stack9::unwind
