// Names the routes that stop threads: of one thread, and of all of a process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "take.h"

inline stack9::user_route &
one()
{
	return route_of<stack9::job::user>(stack9::backend_ptrace);
}

inline stack9::user_pass_route &
all_route()
{
	return route_of<stack9::job::user_each>(stack9::backend_ptrace);
}
