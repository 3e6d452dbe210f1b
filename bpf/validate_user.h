// From what a program saw of a thread's user side to what a caller is told; and
// whether its kernel side is of the same moment.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

#include "validate.h"
#include "record.h"

namespace stack9::bpf {

// What a program saw; who has no pcs.
struct user_seen {
	const s9_record	&who;
	const s9_user	&user;
	const char	*stack;
};

// A thread off a CPU: 0 and the copy, or EAGAIN (on a CPU, with the lead to it;
// ran meanwhile; STACK9_WHY_LATE: reading would have to wait; none of its stack
// can be read), ESRCH, EOPNOTSUPP (a kernel thread), ENOMEM.
int validate_user(const user_seen &, const stack9_thread &td,
    stack9_record &rec, user_copy &, lead &) noexcept;

// A thread seen in an interrupt: the same, but that it cannot have run.
int validate_user_running(const user_seen &, const stack9_thread &td,
    stack9_record &rec, user_copy &) noexcept;

// Whether the thread stood still while it was seen, and in that sleep.
bool stayed_asleep(const s9_record &seen, std::uint64_t mark) noexcept;

// What the record of a kernel side says where only the user side was looked at.
void copy_outcome(const stack9_record &user, int error, stack9_record &kernel)
    noexcept;

// The kernel side to a user side, of which user_error is known.  That, or
// EAGAIN: it is of another moment, and both have to be taken again.
int join_kernel(const s9_record &kernel, const s9_record &who, int user_error,
    const stack9_thread &td, sides &) noexcept;

} // namespace stack9::bpf
