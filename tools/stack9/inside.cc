// Begins a program that is linked into this one: a file that shall be carried
// to other machines has nothing beside it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <iterator>

#include "tools/lib/command_line.h"
#include "tools/lib/program.h"
#include "words.h"

namespace stack9_program {

int
begin(const word &w, int argc, char **argv)
{
	// In the order of the words.
	constexpr int (*starts[])(int, char **) = {stackprint::start,
	    stackcount::start, stacksnoop::start, stackrecord::start,
	    stackreport::start};
	static_assert(std::size(starts) == words.size());
	return tools::run_program(w.program, starts[&w - words.data()],
	    argc, argv);
}

} // namespace stack9_program
