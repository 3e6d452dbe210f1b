// Declares what the lines and inlined calls of fixtures/levels.cc have to be.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workshop.h"

// The line at which a source says that a thing is.
int line_of(const std::string &thing, const char *path = LEVELS);

std::string base_name(const std::string &path);

// "function file:line", the innermost first, with " inlined".
std::vector<std::string> levels_at(stack9::process::file &,
    std::uint64_t vaddr);

// Looks at a program that was made of fixtures/levels.cc.  marks: the file with
// its symbols; "": itself.
void check_levels(const std::string &path, std::string marks = "");
