// Says in a record's words how a walk ended.  Every walk of a user stack uses
// this table, whether it reads the stack in place or from a copy.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "record.h"

#include "unwind/walk.h"

namespace stack9 {

struct stop_reason {
	stack9_why	 why;
	const char	*reason;	// or NULL
};

// A walk went on from Go without the frames of C that called it.
inline constexpr const char *c_left_out = "the frames of C that called Go are "
    "on another stack, which was not copied";

// A walk ended at a frame whose file could not be opened, or was too large.
inline constexpr const char *file_unread = "the file that the last frame is in "
    "could not be read, and its frame pointer leads nowhere";

// A walk ended at the address that a probe of another program, at a function's
// return, has put in the place of the return address.
inline constexpr const char *return_probed = "a tracer's probe (uretprobe) has "
    "replaced the return address of the last frame but one";

inline stop_reason
stop_reason_of(unwind::outcome how) noexcept
{
	using unwind::outcome;
	switch (how) {
	case outcome::end:
		break;
	case outcome::zero:
	case outcome::strayed:
		return {STACK9_WHY_UNWIND,
		    "the return address of the last frame is 0"};
	case outcome::stepped:	// no walk ends so
	case outcome::limit:
		return {STACK9_WHY_TRUNCATED,
		    "there was no room for its outer frames"};
	case outcome::no_info:
		return {STACK9_WHY_UNWIND,
		    "no unwind information covers the last frame, and its "
		    "frame pointer leads nowhere"};
	case outcome::no_register:
		return {STACK9_WHY_REGISTERS,
		    "the caller of the last frame is found by registers that "
		    "are not known"};
	case outcome::no_memory:
		return {STACK9_WHY_MEMORY,
		    "the stack of the last frame could not be read"};
	case outcome::malformed:
		return {STACK9_WHY_UNWIND,
		    "the unwind information of the last frame contradicts "
		    "itself or the stack"};
	}
	return {STACK9_WHY_NONE, nullptr};
}

} // namespace stack9
