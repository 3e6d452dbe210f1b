// Declares the roles of the threads in the fake libstack9.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <vector>

#include <stack9.h>

#include "fake.h"

namespace fake {

inline constexpr std::uintptr_t text_start = 0xffffffff81000000;
inline constexpr const char *text_lines[] = {
	"schedule+0x10/0x90", "pipe_read+0x2f/0x1a0 [pipes]"};
// In the flags of a half: it has names and no addresses.
inline constexpr unsigned int text_only = 0x80000000;

// Holds what a capture of one side gives.
struct half {
	int			 error;
	stack9_why		 why;
	const char		*reason;
	unsigned int		 flags;
	const std::uintptr_t	*pcs;
	std::uint32_t		 depth, dropped;
};

struct role {
	pid_t		 tid;
	char		 state;
	const char	*comm;
	half		 kernel, user;
};

role role_of(pid_t tid);

// error: of all routes there are; 0: they are as STACK9_FAKE says.
int report_async_routes(stack9_route_fn *, void *arg, int error);

std::vector<role> members(pid_t pid);

} // namespace fake
