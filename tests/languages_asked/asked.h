// Runs a program in a language, has it build a stack, and asks it and stack9
// for the functions on it.
//
// The program reads lines.  For each it builds a stack, prints what its
// language says of it, a line "name<tab>file<tab>line" for each function, the
// innermost first, then "end", and reads the next line on top of that stack;
// after which it takes the stack down.
//
// STACK9_LANGUAGE_ROOT names the root of another system, whose runtime is used.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <sys/types.h>

using lines = std::vector<std::string>;

// A stack with its functions, in stack9's terms.
struct woven {
	lines		functions;	// as above
	std::vector<std::uint32_t> index, flags;	// of each of them
	lines		native;		// names
	std::string	note;
	int		error = 0, why = 0;
};

// Both line by line, with a mark where they differ.
std::string beside(const lines &ours, const lines &theirs);

// Killed and reaped when it goes.
class asked {
public:
	// args[0] is looked for in PATH; files of the folder `in` are there for
	// the program, whose working directory that is.
	asked(const lines &args, const std::string &in);
	asked(const asked &) = delete;
	asked &operator=(const asked &) = delete;
	~asked();

	pid_t pid() const { return pid_; }
	// Has it build a stack; gives what it says of it, and waits until the
	// thread sleeps there.
	lines build(const std::string &line) const;
	// The functions of a language on the stack of a thread; 0: the first.
	woven look(const char *language, pid_t tid = 0) const;

private:
	lines read_until_end() const;

	pid_t	pid_;
	int	to_, from_;
};

// Skips a test where the program is not here, or stack9 does not know it.
boost::unit_test::decorator::precondition has(const char *program);
// The same, but it also has to run this code, given by -e or -r.
boost::unit_test::decorator::precondition has(const char *program,
    const char *option, const char *code);
