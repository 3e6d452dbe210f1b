// Reports the states of threads, and how often each was switched.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "states.h"

#include <cerrno>

#include "reason.h"
#include "route.h"

namespace stack9 {
namespace {

struct told_states {
	stack9_state_fn	*fn;
	void		*arg;
	bool		 any = false;
};

int
tell(void *arg, const stack9_state &s) noexcept
{
	told_states &told = *static_cast<told_states *>(arg);
	told.any = true;
	return told.fn(told.arg, &s) != 0 ? ECANCELED : 0;
}

} // namespace

// A route that has reported some threads is not followed by another one,
// because that would report them again.
int
tell_states(pid_t pid, stack9_state_fn *fn, void *arg)
{
	told_states told{fn, arg};
	stack_record rec{};
	const int error = first_answer<job::wait>(rec, [&](wait_route &r) {
		const int failed = r.states(pid, tell, &told);
		return is_refusal(failed) && !told.any ?
		    answer::refused(failed, nullptr) : answer::is(failed);
	});
	return error != 0 && rec.reason != nullptr ?
	    failed(error, rec.reason) : error;
}

} // namespace stack9
