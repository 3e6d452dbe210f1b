// Copies threads as a route would, and says what walks make of the copies.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "core/seam/record.h"
#include "core/seam/space.h"

#include "child.h"

// By ptrace(2).  most: bytes of stack; there may then be more.
void copy_thread(pid_t tid, stack9::user_copy &,
    std::size_t most = std::size_t{1} << 30);
// Does what copy_on() of a route does.
bool copy_on(pid_t tid, stack9::user_copy &, std::uint64_t wanted);

struct opened {
	explicit opened(const stack9_thread &td);
	~opened() { stack9::space_drop(it); }
	opened(const opened &) = delete;
	opened &operator=(const opened &) = delete;
	stack9_space &operator*() const { return *it; }
	stack9_space	*it = nullptr;
	int		error;
};

struct walk {
	stack9::space_walk	how{};
	std::uint64_t		wanted = 0;
	stack9::stack_record		rec{};
	std::vector<std::uintptr_t> pcs;

	bool
	is_whole() const
	{
		return how == stack9::space_walk::done &&
		    rec.why == STACK9_WHY_NONE;
	}
};

walk walk_of(stack9_space &, const stack9::user_copy &,
    const stack9_thread &, std::uint32_t max = 4096);

// The thread's frames by libunwind-ptrace.
std::vector<std::uintptr_t> oracle_frames(pid_t tid);

// The functions of frames by the symbol table of their files; "?" for what has
// none.
std::vector<std::string> names_of(stack9_space &, const walk &);
// True if names has these, one after the other, anywhere.
bool has(const std::vector<std::string> &names,
    const std::vector<std::string> &chain);
std::string text(const std::vector<std::string> &);
