// Counts events of a process by the functions of its language, through the
// public library.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <stack9_watch.h>
#include <sys/types.h>

#include "counted_program.h"

class watched {
public:
	// Counts user stacks.  of: the name of a file that the functions have
	// to be in; "": any.
	// flags: STACK9_WATCH_*.
	watched(const std::string &event, pid_t, const char *language,
	    const std::string &of = "", unsigned int flags = 0,
	    std::uint64_t limit = 0);
	watched(const watched &) = delete;
	watched &operator=(const watched &) = delete;
	~watched() { stack9_watch_close(watch_); }

	// Has the program make events until the programs know its frames.
	void warm(counted_program &, const std::string &line);
	// Has the program do what the line says, and reads meanwhile.  The
	// stacks that it says.
	stack_counts run(counted_program &, const std::string &line);
	// Reads what there is, and starts a new count.
	const stack_counts &count();
	void stop();
	stack9_tally tally() const;

	// The frames of the last count that may be of another moment, and those
	// outside of all native frames.
	std::uint64_t	guessed = 0, misplaced = 0;

private:
	static int take(void *, const stack9_sample *) noexcept;
	void add(const stack9_sample &);

	const std::string language_, of_;
	stack9_watch	*watch_ = nullptr;
	stack_counts	all_;
};

// The stacks that a program says of its events, and those that were counted.
struct counted_events {
	// The line comes when the programs know the frames of the language.
	counted_events(const std::vector<std::string> &command,
	    const char *language, const std::string &line,
	    unsigned int flags = 0,
	    const std::string &event = "syscall:getsid");

	stack_counts	said, seen;
	std::uint64_t	guessed = 0, misplaced = 0;
	stack9_tally	tally{};
};
