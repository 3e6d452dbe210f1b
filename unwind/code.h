// The code that a stack leads through, as its unwind information has it: this
// process's modules, or files that another process was mapped from.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "row.h"

namespace stack9::unwind {

class code {
public:
	// The rule for an address, kind absent for none.
	virtual rule rule_of(std::uintptr_t lookup) noexcept = 0;
	// The row behind it, for what a rule is too little for.  The spans in
	// it are good until the next call.
	virtual found row_of(std::uintptr_t lookup, row &) noexcept = 0;
	// Whether a module covers the address, with unwind information or not.
	virtual bool covers(std::uintptr_t pc) noexcept = 0;

protected:
	~code() = default;
};

} // namespace stack9::unwind
