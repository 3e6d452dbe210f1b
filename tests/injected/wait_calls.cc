// Offers the calls that find waits and states, each from its beginning to its
// end.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "calls.h"

#include <cerrno>
#include <cstdint>

#include <stack9_waits.h>

namespace {

struct reported_waits {
	std::uint32_t	count = 0;
	int		error = 0;
};

// A wait that is not known says so with an errno and a reason.
int
add_wait(void *arg, const stack9_wait *w)
{
	auto &told = *static_cast<reported_waits *>(arg);
	told.count++;
	if (w->kind != STACK9_WAIT_UNKNOWN)
		return 0;
	told.error = w->error != 0 && *w->reason != '\0' ? w->error : -1;
	return 0;
}

struct held_samples {
	stack9_sample	*of[threads_looked_at];
	std::uint32_t	 count = 0;
};

int
hold(void *arg, const stack9_sample *s)
{
	auto &all = *static_cast<held_samples *>(arg);
	if (all.count == threads_looked_at)
		return 1;
	all.of[all.count] = stack9_sample_hold(s);
	all.count += all.of[all.count] != nullptr;
	return 0;
}

int
count_state(void *arg, const stack9_state *)
{
	++*static_cast<int *>(arg);
	return 0;
}

} // namespace

int
waits(pid_t pid)
{
	const stack9_thread td{pid, pid, 0};
	held_samples all;
	reported_waits told;
	int error = stack9_each(&td, STACK9_BOTH, nullptr, hold, &all);
	// A sample that is lent takes memory to be held.
	if (error == 0 && all.count != threads_looked_at)
		error = ENOMEM;
	if (error == 0)
		error = stack9_waits(all.of, all.count, 0, add_wait, &told);
	if (error == 0)
		error = told.count != threads_looked_at ? -1 : told.error;
	for (std::uint32_t i = 0; i < all.count; i++)
		stack9_sample_close(all.of[i]);
	return error;
}

int
states(pid_t pid)
{
	const stack9_thread td{pid, pid, 0};
	int seen = 0;
	const int error = stack9_states(&td, 0, count_state, &seen);
	return error != 0 ? error : seen == threads_looked_at ? 0 : -1;
}
