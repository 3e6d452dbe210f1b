// Prepares a record for a capture, completes it, and says whether the capture
// should be tried again.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>

#include "core/seam/record.h"

namespace stack9 {

// Sets a record to what it is before anything is known.  reset_own() leaves
// thread and text alone: the calling thread's own stack has neither.
void reset(stack_record &rec, const stack9_thread &td, stack9_side) noexcept;
void reset_own(stack_record &rec) noexcept;

// Stores the error of a capture and returns it.  Without success a record has
// no frames, although a route may have written some.
int finish(stack_record &rec, int error) noexcept;

// Return true if a capture has a buffer to write to: pcs, or text.
bool has_pcs(const stack_record &rec) noexcept;
bool has_buffer(const stack_record &rec) noexcept;

// Returns true if the same capture may end otherwise if it is made again at
// once.
inline bool
worth_another_try(int error, const stack_record &rec) noexcept
{
	return error == EAGAIN && (rec.why == STACK9_WHY_MOVED ||
	    rec.why == STACK9_WHY_TORN || rec.why == STACK9_WHY_REFUSED);
}

// Enough for a thread that flips all the time: of 34 million raw captures on
// two cores none needed more than 4.
inline constexpr int max_tries = 8;

// Makes a capture into rec, and makes it again while the thread runs.
template <class Capture>
int
try_until_still(stack_record &rec, Capture capture) noexcept
{
	int error = 0;
	for (int tries = 0; tries < max_tries; tries++) {
		error = capture();
		if (!worth_another_try(error, rec))
			break;
	}
	return finish(rec, error);
}

} // namespace stack9
