// Declares the code of a process, read from the files that it was mapped from.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "unwind/code.h"
#include "unwind/memory.h"

#include "process/space.h"

namespace stack9::remote {

// Rules are kept for all processes at once, by file and p_vaddr.  If the code
// is known, no lock is taken.
class remote_code final : public unwind::code {
public:
	remote_code(stack9_space &space, unwind::memory &words) noexcept
	    : space_(space), words_(words) {}

	unwind::rule rule_of(std::uintptr_t lookup) noexcept override;
	unwind::found row_of(std::uintptr_t lookup, unwind::row &) noexcept
	    override;
	// Returns true if the address is in executable memory.
	bool covers(std::uintptr_t pc) noexcept override;
	// Code that was made since the last snapshot is not known yet.
	bool is_made(std::uintptr_t pc) noexcept override;
	bool is_one_stack(std::uintptr_t from, std::uintptr_t to) noexcept
	    override;

	bool is_stack_end(std::uintptr_t cfa) noexcept override;

	// Returns true if what could give a row was read.  If it was not, the
	// lack of a row means nothing.
	bool was_read(std::uintptr_t lookup) noexcept;

	// Returns true if the return address is in the code that a program
	// begins with, after the entry of its file.
	bool is_start(std::uintptr_t pc) noexcept;

	// Returns true if is_made() was asked for an address where the snapshot
	// has no code.
	bool lacks_code() const noexcept { return lacks_code_; }

private:
	// A stretch of one file's code: most calls stay in the same one.  A
	// rule's key is the file's id, and the address plus moved.
	struct stretch {
		std::uintptr_t	start = 0, size = 0;
		std::uint64_t	id = 0, moved = 0;
	};

	bool enter(std::uintptr_t lookup) noexcept;
	bool is_known(std::uintptr_t lookup, unwind::rule &) noexcept;
	unwind::rule compute(std::uintptr_t lookup) noexcept;

	stack9_space	&space_;
	unwind::memory	&words_;
	stretch		here_;		// of the last frame
	bool		lacks_code_ = false;
};

// Returns true if the memory of a stack ends where a frame ends: a stack may
// begin there (unwind/begin.h).
bool is_stack_end(stack9_space &, std::uintptr_t cfa) noexcept;

// Gives the answer of stack_rules() for a pc whose rule is of kind absent, as
// far as its code alone shows how unwind/passing.h leaves such a frame.
std::uint32_t guess_rule(remote_code &, unwind::memory &, std::uintptr_t pc,
    bool exact) noexcept;

} // namespace stack9::remote
