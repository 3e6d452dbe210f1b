// Finds out whether a rule says the same as the row that it was made of.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "unwind/cfi.h"

// nullptr if it does; otherwise what is wrong with it.
const char *wrong_with(stack9::unwind::rule, const stack9::unwind::row &,
    std::uintptr_t pc);

// "sp", "full: far" and so on.
std::string text_of(stack9::unwind::rule);
