// Makes a stack that shows whether a copy of it is of one moment: each function
// puts the round's number and its own depth there.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

#include "user_capture.h"

// Goes down all functions deep and calls bottom there.
void go_down(std::uint64_t round, std::uint64_t all,
    const std::function<void()> &bottom);

// Says what is wrong with the marks in a copy that was taken at the bottom;
// NULL: nothing.  Their number into depth.
const char *fault_of(const user_capture &, std::uint64_t &depth);
