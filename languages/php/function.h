// Reads what a function of PHP says of itself: its name as people write it, its
// file, and the line of an instruction.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "layout.h"

namespace stack9::languages::php {

// The instructions of a function that may be gone when a line is wanted.
struct kept_code {
	std::vector<std::uint32_t> lines;	// of each
	// The instructions that run files, by number, and their words.
	std::vector<std::pair<std::uint32_t, const char *>> files;
};

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
	std::shared_ptr<const kept_code> kept;	// NULL: they are in memory
};

// Reads a zend_function.
function read_function(unwind::memory &, const layout &, std::uint64_t at);

// Words of a zend_function: its type, name, scope; of a zend_op_array its
// instructions, file, and those with the last line and the number of
// instructions; of a function in C its handler.
struct function_words {
	std::uint64_t	head, name, scope, opcodes, file, lines, last, handler;
};
function read_function(unwind::memory &, const layout &,
    const function_words &);
// Reads the words of a function that is there.
bool read_words(unwind::memory &, const layout &, std::uint64_t at,
    function_words &);

// Says whether a zend_string has the bytes that its hash was made of: a part of
// one that was freed may be of another by now.  not_known: nothing asked for
// the hash.
enum class intact : std::uint8_t { no, yes, not_known };
intact is_intact(unwind::memory &, std::uint64_t string);

// Keeps the instructions of a function.  False: they cannot be read.
bool keep_code(unwind::memory &, function &);

// Gives the line of an instruction of a function.  globals: where
// zend_executor_globals are.  0: it is not known.
std::uint32_t line_of(unwind::memory &, const layout &, std::uint64_t globals,
    const function &, std::uint64_t opline);

// Gives the number of the function of C that an instruction calls without a
// frame.  frame: the caller's zend_execute_data with the arguments.  False: it
// calls none so, or the call has given back an argument.
bool frameless_call(unwind::memory &, std::uint64_t opline,
    std::uint64_t frame, std::uint32_t &number);

// Gives the word by which an instruction of a function runs a file: "include",
// "eval".  "": it does not.
const char *word_for_file(unwind::memory &, const function &,
    std::uint64_t opline);

} // namespace stack9::languages::php
