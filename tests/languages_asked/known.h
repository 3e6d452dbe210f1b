// Skips tests of a runtime whose layout stack9 says it does not know.
//
// A distribution's next runtime is such a one.  That its native frames stay is
// tested with runtimes that are made up.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

// Gives the sentence that stack9 has of a runtime that it does not know; "": it
// knows it, or says nothing.  words: a program in its language that reads its
// standard input.
std::string unknown_layout(const std::vector<std::string> &words);

// Skips a test where lack() gives a reason or where that program is unknown.
// what: as of needs() in require.h.
boost::unit_test::decorator::precondition has_known(const char *what,
    std::function<std::string()> lack, std::vector<std::string> words);
