// Runs a body in a pid namespace of its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

// Runs body as init of a new pid namespace with its own /proc; its return
// value is the exit status.
int in_new_pid_ns(const std::function<int()> &body);
