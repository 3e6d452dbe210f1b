// Joins the stacks of threads that were blocked with those of the threads that
// woke them, in the order of bcc's offwaketime and wakeuptime, and writes who
// waits for whom.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <fmt/format.h>

#include "tools/events/frames.h"
#include "tools/events/options.h"
#include "tools/profiles/profile.h"

namespace stackcount {

// The thread whose name is the outermost frame: that which was blocked, or, if
// only wakers are asked for, the waker.
struct outermost {
	std::string	name;
	pid_t		pid;
};

// Adds the frames of the sample and of its waker, innermost first, except the
// outermost.
outermost add_with_waker(const stack9_sample &, const events::options &,
    events::frames &, events::frames::list &);

// Writes for each process how long it was blocked, and until which others woke
// it.
void write_wait_graph(fmt::memory_buffer &, const profiles::profile &);

} // namespace stackcount
