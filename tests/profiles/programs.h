// Runs other people's programs that read what we write.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "child.h"
#include "lib/scratch.h"

using lib::scratch;

// Its path in /usr/bin, /bin, /usr/sbin or /sbin; "": it is in none.
std::string path_of(const std::string &program);

// Without it the test is skipped, and says so.
boost::unit_test::decorator::precondition installed(const char *program);

// In a home of its own; one that hangs fails with 124 or 137 after so long.
said run_within(unsigned int seconds, const scratch &,
    std::vector<std::string> command);
