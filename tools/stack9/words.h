// Names the programs that stack9 is, and declares how one of them is begun.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <string_view>

namespace stack9_program {

struct word {
	std::string_view	 name;		// after stack9
	const char		*program;	// the same by itself
	const char		*what;
};

inline constexpr std::array<word, 5> words{{
	{"print", "stackprint", "print what threads are doing"},
	{"count", "stackcount", "count the stacks that lead to an event"},
	{"snoop", "stacksnoop", "show the stack of each event as it happens"},
	{"record", "stackrecord", "record what all threads do"},
	{"report", "stackreport", "ask what threads did, of records"},
}};

// Begins the program.  argv[0] is the name by which it is to go.  The result is
// its exit status, or that of a refusal that has been printed.
int begin(const word &, int argc, char **argv);

} // namespace stack9_program
