// Runs one watch until it ends: by a signal, a limit, a duration, or the end of
// the command.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <stack9_watch.h>

#include "command.h"
#include "options.h"
#include "screen.h"
#include "watches.h"

namespace events {

class session {
public:
	// Takes each sample that is delivered.  The sample is lent.  Returns
	// false if no more are to come.  It may throw std::bad_alloc.
	using consumer = std::function<bool(const stack9_sample &)>;

	session(const options &, screen &, consumer);

	// doing is a word for the message, such as "counting".  Returns false
	// after it has printed why.
	bool	start(stack9_watch_mode, const char *doing);
	// Waits at most so long for events and delivers them.  Returns whether
	// there were any.
	bool	read(int timeout_ms);
	bool	over();
	// Stops the events; those that have come are delivered.
	void	stop();

	bool	counts();	// deliver them; false: it said why
	stack9_tally tally();
	// True if something went wrong that the tally does not show.
	bool	failed() const { return failed_; }
	// Gives the library's name of the one event, or "" if there are
	// several.
	const std::string &label() const { return label_; }

private:
	using clock = std::chrono::steady_clock;

	bool	run_command();
	bool	watch(stack9_watch_options);
	int	try_watch(stack9_watch_options, std::string &reason);
	void	add_children();
	void	report_surroundings();
	void	introduce(const char *doing);
	void	show_progress();
	bool	fails(const char *call, int error);

	static int	deliver(void *, const stack9_sample *) noexcept;

	options				opt_;	// pid: the command's
	screen				&screen_;
	const consumer			consume_;
	command				command_;
	watches				watches_;
	std::vector<pid_t>		watched_;	// those of -p, so far
	stack9_watch_options		how_{};		// of one that is added
	clock::time_point		next_scan_;	// for --children
	std::optional<clock::time_point> end_;
	std::string			label_;
	bool				failed_ = false;
	bool				no_memory_ = false;	// in deliver()
};

// The rights are the file's: to watch everybody is not to be lent.
bool refuses_borrowed_rights(const options &, screen &);

// Lets Ctrl-C and SIGTERM end the watch but not the program: it still prints
// what it has.  A second signal ends the program.  A call that waits returns
// EINTR for the first one, and for SIGCHLD.
void catch_signals();

bool stop_was_asked();

} // namespace events
