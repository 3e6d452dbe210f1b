// Begins and ends a program, and gives the name by which it was called.  Each
// is a program of its own, and a word of the program stack9.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

namespace tools {

// Runs a program and returns its exit status.  Closed standard streams are
// opened, and an exception is reported.
int run_program(const char *name, int (*start)(int, char **), int argc,
    char **argv);

// Returns what a person types for the program "stackprint": that, or "stack9
// print" in a program that was called so.
std::string called(std::string_view program);

// Says why nothing can be loaded into a program that is one static file; "" in
// any other program.
#ifdef STACK9_PORTABLE
inline constexpr const char *one_file = "this program is one file, which can "
    "load no library";
#else
inline constexpr const char *one_file = "";
#endif

// Says why there is no --debuginfod here; nullptr: there is.
inline const char *
no_debuginfod()
{
	return *one_file == '\0' ? nullptr : "--debuginfod loads "
	    "libdebuginfod, and this program is one file, which can load no "
	    "library; what helps: the package stack9-tools, or debug files in "
	    "/usr/lib/debug";
}

} // namespace tools

// start() of each reads the command line.  The file of main() is made for each
// program, and is the one file that another program does not need of it.
namespace stackcount {
int start(int argc, char **argv);
}
namespace stackprint {
int start(int argc, char **argv);
}
namespace stackrecord {
int start(int argc, char **argv);
}
namespace stackreport {
int start(int argc, char **argv);
}
namespace stacksnoop {
int start(int argc, char **argv);
}
