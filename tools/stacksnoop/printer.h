// Declares the interface of printers.  They write an event for people, for
// programs, or for the readers of perf script.
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

class printer {
public:
	virtual ~printer() = default;

	// Called before the first event.
	virtual void begin(fmt::memory_buffer &) {}
	// So many events were lost here.
	virtual void lost(fmt::memory_buffer &, std::uint64_t) = 0;
	// Writes all of an event before its stack.
	virtual void head(fmt::memory_buffer &, const stack9_sample &) = 0;
	virtual void tail(fmt::memory_buffer &) = 0;
	// Writes the stack.  The text is used again for equal stacks.
	virtual void stack(fmt::memory_buffer &, const stack9_sample &,
	    events::frames &, const std::deque<profiles::frame> &) = 0;
	// Returns false if the closing line does not belong in this output.
	virtual bool end(fmt::memory_buffer &, const stack9_tally &,
	    const std::string &line) = 0;
};

// Write one frame as these printers do.  pc: the address as it was captured.
std::string json_frame(const profiles::frame &, std::uint64_t pc);
void write_perf_frame(fmt::memory_buffer &, const profiles::frame &,
    std::uint64_t pc);

std::unique_ptr<printer> make_printer(const events::options &);
std::unique_ptr<printer> text_printer(const events::options &);
std::unique_ptr<printer> json_printer(const events::options &);
std::unique_ptr<printer> perf_printer(const events::options &);

} // namespace stacksnoop
