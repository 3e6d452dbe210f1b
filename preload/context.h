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
class context {
public:
	context() noexcept : mark_(&mark), self_(this) {}
	context(const context &) = delete;
	context &operator=(const context &) = delete;

	// nullptr: c is the context of another unwinder.
	static const context *
	of(const _Unwind_Context *c) noexcept
	{
		const auto *const ours = reinterpret_cast<const context *>(c);
		return ours->mark_ == &mark && ours->self_ == ours ? ours :
		    nullptr;
	}
	_Unwind_Context *
	opaque() noexcept
	{
		return reinterpret_cast<_Unwind_Context *>(this);
	}

	unwind::stepped_frame	 at{};

private:
	static const char	 mark;

	const char		*const mark_;
	const context		*const self_;
};

} // namespace stack9::preload
