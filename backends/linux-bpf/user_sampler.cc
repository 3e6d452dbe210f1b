// Copies a thread: first its user side, then its kernel side.  The user side
// decides whether there is a kernel side to sample.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "user_sampler.h"

#include <cstring>

#include <time.h>

#include "bpf/validate.h"
#include "recheck_end.h"
#include "bpf/validate_user.h"

namespace stack9::bpf {
namespace {

// An mmap(2) takes microseconds, a large munmap(2) milliseconds.  A change that
// takes longer may take for ever.
constexpr int patience = 100;
constexpr timespec a_moment{0, 200'000};

// True if the kernel side can be sampled although the user side has this error.
bool
stands_still(int error, const stack_record &user) noexcept
{
	return error == 0 || (error == EAGAIN &&
	    (user.why == STACK9_WHY_LATE || user.why == STACK9_WHY_MEMORY));
}

int
add_kernel(user_sampler &by, const s9_record &who, int error,
    const stack9_thread &td, sides &s) noexcept
{
	s9_record seen;
	s.kernel->route = s.user.route;
	if (const int e = by.kernel(td.tid, seen); e != 0) {
		if (e == ESRCH)
			s.kernel->why = STACK9_WHY_GONE;
		s.kernel->error = e;
		return error;
	}
	error = join_kernel(seen, who, error, td, s);
	if (s.kernel->error == 0)
		s.kernel->error = recheck_end(seen, *s.kernel,
		    [&](s9_record &second) {
			return by.kernel(td.tid, second);
		});
	return error;
}

} // namespace

int
sample_patiently(user_sampler &by, pid_t tid, std::uint64_t from,
    s9_record &who) noexcept
{
	for (int tries = 0;; tries++) {
		if (const int error = by.user(tid, from); error != 0)
			return error;
		if (!(by.seen().user.flags & S9_USER_BUSY) ||
		    tries == patience)
			break;
		nanosleep(&a_moment, nullptr);
	}
	std::memcpy(&who, by.seen().who, S9_RECORD_HEAD);
	return 0;
}

int
copy_by(user_sampler &by, const stack9_thread &td, sides &s, lead &l) noexcept
{
	s9_record who;
	int error = sample_patiently(by, td.tid, 0, who);
	if (error == ESRCH)
		error = explain_missing_thread(td, s.user);
	else if (error == 0)
		error = validate_user({who, by.seen().user, by.seen().stack},
		    td, s.user, s.copy, l);
	if (s.kernel == nullptr)
		return error;
	if (stands_still(error, s.user))
		return add_kernel(by, who, error, td, s);
	copy_outcome(s.user, error, *s.kernel);
	return error;
}

} // namespace stack9::bpf
