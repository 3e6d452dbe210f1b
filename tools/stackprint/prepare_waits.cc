// Asks for the wait and the state of its own thread.  This one runs, so nothing
// has to be looked up for it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "prepare_waits.h"

#include <system_error>

#include <stack9.h>
#include <stack9_waits.h>
#include <unistd.h>

namespace stackprint {
namespace {

// An error is reported when the threads are asked for.
void
ask_for_own(bool states)
{
	stack9_sample own{};
	own.thread = {gettid(), getpid(), 0};
	own.comm = "";
	own.state = 'R';
	const stack9_sample *const all[] = {&own};
	stack9_waits(all, 1, 0, [](void *, const stack9_wait *) { return 0; },
	    nullptr);
	if (states)
		stack9_states(&own.thread, 0,
		    [](void *, const stack9_state *) { return 0; }, nullptr);
}

} // namespace

std::future<void>
prepare_waits(bool states)
{
	try {
		return std::async(std::launch::async, ask_for_own, states);
	} catch (const std::system_error &) {
		return {};	// no thread can be made
	}
}

} // namespace stackprint
