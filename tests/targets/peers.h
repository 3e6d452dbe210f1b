// Asks gdb and eu-stack for the stacks of a process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "target.h"

struct peer {
	const char	*name;
	stacks		(*ask)(pid_t);
	bool		here;	// on this machine
};

extern const peer gdb, eu_stack;
