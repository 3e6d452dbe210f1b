// Reports the states of threads, and how often each was switched.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "states.h"

#include <cerrno>

#include "reason.h"
#include "route.h"

namespace stack9 {
namespace {

struct reported_states {
	stack9_state_fn	*fn;
	void		*arg;
	bool		 any = false;
};

int
report(void *arg, const stack9_state &s) noexcept
{
	reported_states &reported = *static_cast<reported_states *>(arg);
	reported.any = true;
	return reported.fn(reported.arg, &s) != 0 ? ECANCELED : 0;
}

} // namespace

// A route that has reported some threads is not followed by another one,
// because that would report them again.
int
report_states(pid_t pid, stack9_state_fn *fn, void *arg)
{
	reported_states reported{fn, arg};
	stack_record rec{};
	const int error = first_answer<job::wait>(rec, [&](wait_route &r) {
		const int failed = r.states(pid, report, &reported);
		return is_refusal(failed) && !reported.any ?
		    answer::refused(failed, nullptr) : answer::is(failed);
	});
	return error != 0 && rec.reason != nullptr ?
	    failed(error, rec.reason) : error;
}

} // namespace stack9
