// Runs a child in which bpf(2) fails.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

// The exit status of body in a child, whose programs are its own to load.
int in_child(const std::function<int()> &body);

// From now on bpf(2), or one command of it (-1: any), fails with error.
bool refuse_bpf(int command, int error);
