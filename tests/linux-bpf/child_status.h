// Runs a body in a child.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

// What body returns, in a child, whose programs are its own to load: 0 to 127;
// 99 if it did not come to an end.
int status_of(const std::function<int()> &body);
