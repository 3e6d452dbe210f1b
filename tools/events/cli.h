// Reads the options that both programs have.  A file that includes this header
// pays for compiling CLI11.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "options.h"

namespace events {

// These return "" or the error, as CLI11 expects it.
std::string positive(const std::string &);	// a decimal number from 1 on
std::string seconds(const std::string &);	// more than 0, with fractions

void describe_events(CLI::App &, options &);
void describe_stacks(CLI::App &, options &);
void describe_telling(CLI::App &, options &, const char *formats);

// Returns an exit status if nothing is left to do.
std::optional<int> parse(CLI::App &, int argc, char **argv, options &,
    const char *usage);

// Reports an error of the command line.
int wrong(const options &, const char *what, const char *usage);

// Names options that contradict each other, or returns nullptr.
const char *contradiction(const options &);

} // namespace events
