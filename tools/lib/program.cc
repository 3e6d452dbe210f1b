// Remembers how the program was called.  Argument 0 says it, as shells say by a
// dash that they are for a login: "stack9 print" has a blank.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "program.h"

#include <exception>

#include <malloc.h>

#include "surroundings.h"

namespace tools {
namespace {

constexpr std::string_view family = "stack";

bool by_stack9 = false;

// A directory's name may have blanks, too.
bool
is_word_of_stack9(std::string_view called_as, std::string_view program)
{
	const std::size_t blank = called_as.rfind(' ');
	return blank != called_as.npos && program.starts_with(family) &&
	    called_as.substr(blank + 1) == program.substr(family.size());
}

// A program may keep the samples of thousands of threads.  So the heap grows in
// larger steps than the 128 KiB of the C library, and does not shrink.
void
grow_in_large_steps()
{
#ifdef M_TOP_PAD
	mallopt(M_TOP_PAD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

} // namespace

std::string
called(std::string_view program)
{
	if (!by_stack9 || !program.starts_with(family))
		return std::string(program);
	return "stack9 " + std::string(program.substr(family.size()));
}

int
run_program(const char *name, int (*start_it)(int, char **), int argc,
    char **argv)
{
	fill_standard_streams();
	grow_in_large_steps();
	by_stack9 = argc > 0 && is_word_of_stack9(argv[0], name);
	try {
		return start_it(argc, argv);
	} catch (const std::exception &e) {
		return end_for(called(name).c_str(), e);
	}
}

} // namespace tools
