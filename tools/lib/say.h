// Says on stderr what a program has to say beside its output.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "program.h"

namespace tools {

// The line begins with the name by which the program was called.
inline void
say(std::string_view program, const std::string &text)
{
	std::fputs((called(program) + ": " + text + "\n").c_str(), stderr);
}

} // namespace tools
