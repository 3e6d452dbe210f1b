// Lists the options of the five programs: one name has one meaning.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

namespace tools {

struct option_row {
	// Programs by a letter: stackPrint, stackCount, stackSnoop, stackRecord
	// and stackreporT.
	std::string_view programs;
	// "-p,--pid", as CLI11 takes them.
	const char	*names;
	// The name of the value, as --help prints it; "": a flag; "=": a flag
	// that may have one, as in "=SECONDS".
	const char	*argument;
	// What --help prints.  A program may add to it, but not change it.
	const char	*text;
};

// The row of the long name, as "--pid".  It ends the process if the program has
// no such option in the table: each start of the program finds that.
const option_row &option_of(std::string_view program, std::string_view name);

// "--pid" and 'p' of it; 0: it has no letter.
std::string_view long_name_of(const option_row &) noexcept;
char letter_of(const option_row &) noexcept;

} // namespace tools
