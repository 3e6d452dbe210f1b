// Adds the frames of languages' runtimes to the user stack of a thread of
// another process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/space.h"

namespace stack9 {

// How a copy came about.
enum class moment {
	asleep,		// the thread slept; mark shows whether it still does
	passing,	// it was on a CPU, or nothing shows whether it has run
};

// Fills rec.written, unless that is NULL.
// 0; EAGAIN: the thread has run since its stack was copied.  With in_part the
// frames are flagged as guessed instead.
int add_written(stack9_space &, const user_copy &, moment, bool in_part,
    stack_record &rec) noexcept;

// Does the rest of it after the search, of which rec.written is the answer.
int end_written(written_search, const user_copy &, moment, bool in_part,
    stack_record &rec) noexcept;

} // namespace stack9
