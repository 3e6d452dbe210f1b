// Runs a body in a child.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

// Returns the result of body in a child, 0 to 127.  99: it did not come to an
// end.  The child loads BPF programs of its own.
int status_of(const std::function<int()> &body);
