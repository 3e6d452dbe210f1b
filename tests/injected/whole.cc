// Captures a process where nothing fails.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "whole.h"

#include <sys/wait.h>
#include <unistd.h>

whole_depths whole;

whole_depths
depths_of(pid_t pid)
{
	whole_depths d;
	int ends[2];
	if (pipe(ends) != 0)
		return d;
	const pid_t child = fork();
	if (child == 0) {
		const stack9_thread td{pid, pid, 0};
		stack9_sample *s = nullptr;
		if (stack9_save(&td, STACK9_BOTH, nullptr, &s) == 0 &&
		    s->kernel->why == STACK9_WHY_NONE &&
		    s->user->why == STACK9_WHY_NONE)
			d = {s->kernel->depth, s->user->depth};
		_exit(write(ends[1], &d, sizeof d) == sizeof d ? 0 : 1);
	}
	close(ends[1]);
	if (read(ends[0], &d, sizeof d) != sizeof d)
		d = {};
	close(ends[0]);
	waitpid(child, nullptr, 0);
	return d;
}

bool
lacks_frames(const stack9_stack &s)
{
	const std::uint32_t right = s.side == STACK9_USER ? whole.user :
	    whole.kernel;
	return s.error == 0 && s.why == STACK9_WHY_NONE && right != 0 &&
	    (s.flags & STACK9_STACK_GUESSED) == 0 && s.depth != right;
}
