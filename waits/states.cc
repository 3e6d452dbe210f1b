// Tells the states of threads, and how often each was switched.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>

#include <stack9_waits.h>

#include "core/arguments.h"
#include "core/route.h"

#include "states.h"

namespace stack9::waits {
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

// A route that has told some threads is not followed by another one, which
// would tell them again.
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

} // namespace stack9::waits

extern "C" int
stack9_states(const struct stack9_thread *td, unsigned int flags,
    stack9_state_fn *fn, void *arg)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {fn == nullptr, has_no_fn},
	    {flags != 0, has_unknown_flags},
	    {td != nullptr && td->pid < 1, has_no_pid},
	    }); error != 0)
		return error;
	return public_call([&] {
		return waits::tell_states(td != nullptr ? td->pid : 0, fn,
		    arg);
	});
}
