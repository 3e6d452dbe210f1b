// Defines the context that a function given to _Unwind_Backtrace() gets from
// this library.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <unwind.h>

#include "unwind/steps.h"

namespace stack9::preload {

// An unwinder's own context begins with pointers into stacks, or with a table
// of virtual functions.  The two words here are equal to neither: one is the
// address of a byte of this library, the other the context's own address.
//
// A walk by the memo finds the program counters: most programs ask for nothing
// more.  The rest of a frame is found when it is asked for, by another walk
// that goes along with the questions.
class context {
public:
	explicit context(const unwind::frame &first) noexcept
	    : mark_(&mark), self_(this), first_sp_(first.sp), walk_(first) {}
	context(const context &) = delete;
	context &operator=(const context &) = delete;

	// nullptr: c is the context of another unwinder.
	static context *
	of(_Unwind_Context *c) noexcept
	{
		auto *const ours = reinterpret_cast<context *>(c);
		return ours->mark_ == &mark && ours->self_ == ours ? ours :
		    nullptr;
	}
	_Unwind_Context *
	opaque() noexcept
	{
		return reinterpret_cast<_Unwind_Context *>(this);
	}

	// Makes this the context of a frame of which all is known, or only the
	// program counter.  The number counts from the innermost frame on.
	void
	is(std::uint32_t number, const unwind::stepped_frame &f) noexcept
	{
		number_ = number;
		at_ = f;
		found_ = true;
	}
	void
	is(std::uint32_t number, std::uintptr_t pc) noexcept
	{
		number_ = number;
		inner_pc_ = at_.pc;
		at_ = {pc, 0, false};
		found_ = false;
	}

	std::uintptr_t pc() const noexcept { return at_.pc; }
	bool
	exact() const noexcept
	{
		return found_ ? at_.exact : number_ != 0 &&
		    unwind::is_signal_frame(inner_pc_);
	}
	// 0 if the walk does not get there.
	std::uintptr_t
	sp() noexcept
	{
		if (!found_)
			find();
		return at_.sp;
	}

	std::uint32_t number() const noexcept { return number_; }
	std::uintptr_t first_sp() const noexcept { return first_sp_; }

private:
	void find() noexcept;

	static const char	 mark;

	const char		*const mark_;
	const context		*const self_;
	unwind::stepped_frame	 at_{};
	std::uint32_t		 number_ = 0;
	bool			 found_ = false;
	std::uintptr_t		 inner_pc_ = 0;	// of the frame before
	const std::uintptr_t	 first_sp_;
	unwind::own_steps	 walk_;
	std::uint32_t		 walked_ = 0;	// frames of it
};

} // namespace stack9::preload
