// Validates a sample of a thread's user side and copies it for the caller.
// Decides whether a kernel side is of the same moment.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

#include "validate.h"
#include "record.h"

namespace stack9::bpf {

// The sample of a program; who has no pcs.
struct user_seen {
	const s9_record	&who;
	const s9_user	&user;
	const char	*stack;
};

// Validates the sample of a thread off a CPU.  0 and the copy, or an errno.
// EAGAIN: the thread was on a CPU, and lead leads to it; it ran meanwhile;
// reading would have to wait (STACK9_WHY_LATE); or none of its stack can be
// read.  EOPNOTSUPP: it is a kernel thread.  Also ESRCH and ENOMEM.
int validate_user(const user_seen &, const stack9_thread &td,
    stack_record &rec, user_copy &, lead &) noexcept;

// Validates the sample of a thread in an interrupt: the same, except that the
// thread cannot have run.
int validate_user_running(const user_seen &, const stack9_thread &td,
    stack_record &rec, user_copy &) noexcept;

// Copies the sampled registers, by their DWARF numbers.  False: the registers
// of this kind of program are not known.
bool read_registers(const s9_user &, user_copy &) noexcept;

// True if the thread did not run during the sample, in the sleep of that mark.
bool stayed_asleep(const s9_record &seen, std::uint64_t mark) noexcept;

// Fills the record of a kernel side that was not sampled from the user side's.
void copy_outcome(const stack_record &user, int error, stack_record &kernel)
    noexcept;

// Validates a kernel side against the user side that has been sampled.  Returns
// user_error, the user side's errno.  Or EAGAIN: the two are of different
// moments, and both have to be sampled again.
int join_kernel(const s9_record &kernel, const s9_record &who, int user_error,
    const stack9_thread &td, sides &) noexcept;

} // namespace stack9::bpf
