// The part of the command line that both programs have.  Who includes this pays
// for compiling CLI11.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "options.h"

namespace events {

// "" or what is wrong, as CLI11 wants it.
std::string positive(const std::string &);	// a decimal number from 1 on
std::string seconds(const std::string &);	// more than 0, with fractions

void describe_events(CLI::App &, options &);
void describe_stacks(CLI::App &, options &);
void describe_telling(CLI::App &, options &, const char *formats);

// An exit status if there is nothing left to do.
std::optional<int> parse(CLI::App &, int argc, char **argv, options &,
    const char *usage);

// Says what is wrong with the command line.
int wrong(const options &, const char *what, const char *usage);

// Of what both programs have; nullptr: nothing.
const char *contradiction(const options &);

} // namespace events
