// Compares the stacks that a program says with those that were seen.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "counted_program.h"

// The events of all stacks.
std::uint64_t events_of(const stack_counts &);
// Checks that each stack was seen as often as it is said, and that no other one
// of those that have this text was.
void check_equal(const stack_counts &said, const stack_counts &seen,
    const std::string &of);
// The events that were seen under a stack that is not said.
std::uint64_t not_said(const stack_counts &said, const stack_counts &seen,
    const std::string &of);
// Checks the stacks that have this text, of functions that are gone: there are
// so many events, and none has another function.  One without a name is right.
void check_gone(const stack_counts &said, const stack_counts &seen,
    const std::string &of, std::uint64_t events);
