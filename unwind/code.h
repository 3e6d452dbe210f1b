// Declares the code that a stack leads through, seen through its unwind
// information.  The code is that of this process's modules, or of files that
// another process was mapped from.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "row.h"

namespace stack9::unwind {

class code {
public:
	// Finds the rule for an address; its kind is absent if none covers it.
	virtual rule rule_of(std::uintptr_t lookup) noexcept = 0;
	// Finds the row for an address, for frames that no rule describes.  The
	// spans in it are valid until the next call.
	virtual found row_of(std::uintptr_t lookup, row &) noexcept = 0;
	// Returns true if a module covers the address, with or without unwind
	// information.
	virtual bool covers(std::uintptr_t pc) noexcept = 0;
	// Returns true if the address is in memory that is executable and of no
	// file: code that the program has made while it ran.  False: no, or it
	// is not known here.
	virtual bool
	is_made(std::uintptr_t) noexcept
	{
		return false;
	}
	// Returns true if writable memory without a gap leads from the first
	// address up to the second, as on one stack.  False: no, or it is not
	// known here.
	virtual bool
	is_one_stack(std::uintptr_t, std::uintptr_t) noexcept
	{
		return false;
	}

	// Returns true if the memory of a stack ends a few words above the
	// address (begin.h).  False: no, or it is not known here.
	virtual bool
	is_stack_end(std::uintptr_t) noexcept
	{
		return false;
	}

protected:
	~code() = default;
};

} // namespace stack9::unwind
