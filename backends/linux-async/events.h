// Watches events, each of which submits the thread to which it happens.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "state.h"

struct stack9_submitter {
	stack9::bpf::async_state		*state = nullptr;
	std::uint32_t				 number = 0;
	std::uint64_t				 cookie = 0;	// its programs'
	std::vector<stack9::unique_fd>	 fds;	// links, events
};

namespace stack9::bpf {

// Implement stack9_submit_on() and stack9_submit_off().
int open_watch(async_state &, const stack9_event &, stack9_submitter *&)
    noexcept;
void close_watch(stack9_submitter &) noexcept;

} // namespace stack9::bpf
