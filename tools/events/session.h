// Runs one watch until it ends: by a signal, a limit, a duration, or the end of
// the command.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include <stack9_watch.h>

#include "command.h"
#include "options.h"
#include "screen.h"

namespace events {

class session {
public:
	session(const options &, screen &);

	// doing is a word for the message, such as "counting".  Returns false
	// after it has printed why.
	bool	start(stack9_sink_kind, stack9_sample_fn *, void *arg,
		    const char *doing);
	// Waits at most so long for events and delivers them.  Returns whether
	// there were any.
	bool	read(int timeout_ms);
	bool	over();
	// Stops the events; those that have come are delivered.
	void	stop();

	bool	counts();	// deliver them to fn; false: it said why
	stack9_watch_tally tally() const;
	// True if something went wrong that the tally does not tell.
	bool	failed() const { return failed_; }
	// Gives the library's name of the one event, or "" if there are
	// several.
	const std::string &label() const { return label_; }

private:
	using clock = std::chrono::steady_clock;

	using handle = struct stack9_watcher;	// there is a call of that name

	struct closer {
		void
		operator()(stack9_watcher *w) const
		{
			stack9_watch_close(w);
		}
	};

	bool	run_command();
	bool	watch(const stack9_filter &, const stack9_sink &);
	int	try_watch(const stack9_filter &, const stack9_sink &,
		    std::string &reason);
	void	introduce(const char *doing);
	void	show_progress();
	bool	fails(const char *call, int error);

	options				opt_;	// pid: the command's
	screen				&screen_;
	command				command_;
	std::unique_ptr<stack9_watcher, closer> watch_;
	std::optional<clock::time_point> end_;
	std::string			label_;
	bool				failed_ = false;
};

// The rights are the file's: to watch everybody is not to be lent.
bool refuses_borrowed_rights(const options &, screen &);

// Lets Ctrl-C and SIGTERM end the watch but not the program, which still prints
// what it has.  A second signal ends the program.  A call that waits returns
// EINTR for the first one, and for SIGCHLD.
void catch_signals();

bool stop_was_asked();

} // namespace events
