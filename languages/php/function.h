// Reads what a function of PHP says of itself: its name as people write it, its
// file, and the line of an instruction.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "layout.h"

namespace stack9::languages::php {

struct function {
	enum class kind : std::uint8_t {
		none,		// the memory has no function
		internal,	// of C
		user,
		file,		// the code of a file, or of eval()
	};
	kind		what = kind::none;
	bool		is_eval = false;
	std::string	scope, name;	// "Shop", "reserve"; ""
	std::string	file;
	std::uint64_t	handler = 0;	// of one of C
	std::uint64_t	opcodes = 0, end = 0;
	std::uint32_t	last_line = 0;
};

// Reads a zend_function.
function read_function(unwind::memory &, const layout &, std::uint64_t at);

// Gives the line of an instruction of a function.  globals: where
// zend_executor_globals are.  0: it is not known.
std::uint32_t line_of(unwind::memory &, const layout &, std::uint64_t globals,
    const function &, std::uint64_t opline);

// Gives the number of the function of C that an instruction calls without a
// frame. frame: the zend_execute_data of the caller, which has the arguments.
// False: it calls none so, or the call has given back an argument.
bool frameless_call(unwind::memory &, std::uint64_t opline,
    std::uint64_t frame, std::uint32_t &number);

// Gives the word by which an instruction runs a file: "include", "eval".  "":
// it does not.
const char *word_for_file(unwind::memory &, std::uint64_t opline);

} // namespace stack9::languages::php
