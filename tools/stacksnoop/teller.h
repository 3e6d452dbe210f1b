// How an event is told: to people, to programs, or to those that read what
// perf script writes.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

#include <fmt/format.h>
#include <stack9_watch.h>

#include "tools/events/frames.h"
#include "tools/events/options.h"

namespace stacksnoop {

class teller {
public:
	virtual ~teller() = default;

	// Before the first.
	virtual void begin(fmt::memory_buffer &) {}
	// So many were lost here.
	virtual void lost(fmt::memory_buffer &, std::uint64_t) = 0;
	// All of an event but its stack, and what follows that.
	virtual void head(fmt::memory_buffer &, const stack9_sample &) = 0;
	virtual void tail(fmt::memory_buffer &) = 0;
	// The stack, which is told again as it is.
	virtual void stack(fmt::memory_buffer &, const stack9_sample &,
	    events::frames &, const std::deque<profiles::frame> &) = 0;
	// False: the closing line is not for this output.
	virtual bool end(fmt::memory_buffer &, const stack9_watch_tally &,
	    const std::string &line) = 0;
};

std::unique_ptr<teller> make_teller(const events::options &);
std::unique_ptr<teller> text_teller(const events::options &);
std::unique_ptr<teller> json_teller(const events::options &);
std::unique_ptr<teller> perf_teller(const events::options &);

} // namespace stacksnoop
