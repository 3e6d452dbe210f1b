// One thread as a person reads it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>
#include <stack9.h>

#include "names.h"

namespace stackprint {

struct view {
	unsigned int	depth;		// frames shown at most
	bool		addresses;	// a column of them
	bool		withheld;	// not one: they are not the caller's
	bool		borrowed;	// ask nothing with rights of the file's
};

// A stack cut off by view.depth is a truncated one: rec says so afterwards.
void show(fmt::memory_buffer &, stack9_record &rec, names &, const view &);

// Why there is no stack, or why it is not whole.
const char *reason(const stack9_record &);

} // namespace stackprint
