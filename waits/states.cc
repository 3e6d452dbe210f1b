// Implements stack9_states().
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/states.h"

#include <stack9_waits.h>

#include "core/arguments.h"

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
		return report_states(td != nullptr ? td->pid : 0, fn,
		    arg);
	});
}
