// Keeps the rules of a file's functions whose programs of call frame
// information are long, and limits how often such programs are read.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

#include "unwind/cfi_rules.h"

namespace stack9::process {

class long_functions {
public:
	// Finds the rule of a function that may_read() has seen.  Thread-safe;
	// takes no lock unless there are such functions.
	bool find(std::uint64_t vaddr, unwind::rule &) noexcept;
	// Returns true if the program of an FDE may be read for one row, and
	// keeps the rules of its function if the program is long.
	bool may_read(const unwind::cfi_section &, std::size_t fde_offset)
	    noexcept;
	// To be called in the child of a fork(2): forgets all rules if a thread
	// that it does not have was keeping some.
	void leave_in_child() noexcept;

private:
	void keep(const unwind::cfi_section &, std::size_t fde_offset);

	std::atomic<bool>	any_{false};
	std::mutex		lock_;		// of all below
	std::map<std::uintptr_t, unwind::function_rules> by_begin_;
	std::uint64_t		rules_ = 0;
	std::uint64_t		read_ = 0;	// bytes of programs
};

} // namespace stack9::process
