// Declares the table of the routes that this machine can go, and how each of
// them is asked about one thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <stack9.h>

// A route and its job, whichever backend it is of.
struct row {
	const char	*job;
	std::string	route;
	stack9_side	side;
	bool		is_pass;	// it goes over a whole process
	bool		has_names_only;	// of the kernel: text, and no addresses
	bool		has_few_registers; // of a user side: pc and sp
};

// All of them.  Fails the test where there is none.
std::vector<row> rows();
// Those that go over a process, and those that do not.
std::vector<row> passes();
std::vector<row> captures();

// Does body for each, while the library has no other route.
void by_each(const std::vector<row> &,
    const std::function<void(const row &)> &body);

// The answer about a thread.
struct answer {
	int		error = 0;
	stack9_why	why = STACK9_WHY_NONE;
	stack9_thread	thread{};
	std::string	comm;
	char		state = 0;
	int		cpu = -1;
	std::uint64_t	when_ns = 0;
	std::uint32_t	dropped = 0, flags = 0;
	bool		has_space = false;
	std::string	route;
	std::vector<std::uintptr_t> pcs;
	// The same as text: names of functions, innermost first.
	std::vector<std::string> names;
};

// By this route alone, with room for so many frames.  A pass over the thread's
// process gives what it says of the thread, or ESRCH where it has none.  Asked
// again while the answer is EAGAIN, for the machine may be busy.
answer ask(const row &, const stack9_thread &, std::uint32_t max = 512);

// True if the answer ends with the words for a register that the route has not
// got.  They are an answer, too: the rest of the stack is not guessed.
bool lacks_registers(const row &, const answer &);

// The functions that the thread's stack of that side has now, as this side's
// other source knows them: /proc/TID/stack for the kernel's.
std::vector<std::string> kernel_functions(pid_t tid);
