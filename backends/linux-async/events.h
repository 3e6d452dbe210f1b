// Watches events, each of which submits the thread to which it happens.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/async.h"

#include "state.h"

struct stack9::submitter {
	stack9::bpf::async_state		*state = nullptr;
	std::uint32_t				 number = 0;
	std::uint64_t				 cookie = 0;	// its programs'
	std::vector<stack9::unique_fd>	 fds;	// links, events
};

namespace stack9::bpf {

// Implement stack9_submit_on() and stack9_submit_off().
int open_watch(async_state &, const async_event &, submitter *&,
    const char *&why) noexcept;
void close_watch(submitter &) noexcept;

} // namespace stack9::bpf
