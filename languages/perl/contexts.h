// Reads the stacks of contexts that Perl keeps of its blocks and subroutines.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "names.h"

namespace stack9::languages::perl {

// A context that shows a frame, or a call of the loop.
struct context {
	enum class kind : std::uint8_t {
		sub,
		eval,		// a block, a text or a file
		comparison,	// the block of a sort
	};
	kind		what;
	bool		is_frame;	// caller() has it
	bool		is_entered;	// it has nowhere to return to but C
	std::uint64_t	cop;		// of what called it
	std::uint64_t	back;		// the OP that it returns to, or 0
	std::uint64_t	cv;		// of a sub
	std::uint64_t	jump;		// of an eval: its JMPENV,
	std::uint64_t	before;		// the one before that, or 0,
	bool		is_within;	// which is not the last one
	// At an event, what is known of it: the name of a sub, and where it was
	// called from.
	std::string	name = {};
	line_of_file	place = {};
};

// Gives the context that the block of a sort would have.
context a_comparison();

// Holds the current COP and OP of an interpreter, and its innermost stack.
struct interpreter {
	std::uint64_t	cop, op, stack;
};

// Gives the contexts, innermost first.  False: they do not end, or memory of
// them cannot be read.
bool read_contexts(unwind::memory &, std::uint64_t stack,
    std::vector<context> &);

} // namespace stack9::languages::perl
