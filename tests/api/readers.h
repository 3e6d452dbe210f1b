// Finds children of this process by their names.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <sys/types.h>

namespace api {

// 0: none has the name.
pid_t child_named(const std::string &);

// Waits for its end.  -1: it did not exit.
int status_of_child(pid_t);

} // namespace api
