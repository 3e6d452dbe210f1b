// Finds the processes that have the other end of a pipe or socket open.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "descriptors_of.h"

namespace stack9::waits {

struct blocked;
struct context;

// Appends them.  Returns a sentence that says why there are none, or what is
// special about them; "" if there is nothing to say.
const char *add_peers(context &, const file_id &, bool writes,
    std::vector<pid_t> &);

// Takes the waiter's own process out of the processes that have an end, because
// a process does not wait for itself.  True: another thread of it can end the
// wait.
bool take_own(const blocked &, context &, std::vector<pid_t> &,
    bool &was_there);

// The name of a descriptor, and what the kernel says of its socket.
std::string name_with_ends(context &, const descriptor &, pid_t tid, int fd);

} // namespace stack9::waits
