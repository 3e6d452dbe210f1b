// Declares the interface of printers.  They present captured stacks to people
// or to programs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ours.h"
#include "tools/lib/names.h"
#include "options.h"
#include "tools/lib/samples.h"
#include "tally.h"

namespace stackprint {

class found_waits;
class state_times;
struct coroutine_group;

struct view {
	const options	&opt;
	bool		 withheld;	// kernel addresses are not shown
	bool		 borrowed;	// the rights are the file's, or the
					// threads are recorded: ask nothing
	names		&all;
	const found_waits *waits;	// NULL without --waits
	const state_times *times = nullptr;	// NULL: there are none
};

class printer {
public:
	virtual ~printer() = default;

	virtual void thread(fmt::memory_buffer &, const sample &) = 0;
	// Several threads that have the same stacks.
	virtual void group(fmt::memory_buffer &, const sample &,
	    const std::vector<thread_facts> &) = 0;
	// Goroutines of one process that have the same stack and state.
	virtual void coroutines(fmt::memory_buffer &,
	    const coroutine_group &) {}
	// Before the groups of so many threads.
	virtual void groups_of(std::size_t) {}
	virtual void end(fmt::memory_buffer &, const tally &) = 0;
};

std::unique_ptr<printer> text_printer(const view &);
std::unique_ptr<printer> json_printer(const view &);
// Prints kernel stacks in the columns of FreeBSD's procstat -kk.
std::unique_ptr<printer> procstat_printer(const view &);

// Gives the function a sleeper waits in, with any bytes, or "" if the thread
// does not sleep or the function is not known.
std::string wchan_of(const sample &, const view &);

} // namespace stackprint
