// One watch, from its beginning to its end: a signal, a limit, a duration, or
// the end of the command.
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

	// doing: "counting", for the message.  False: it has been said why.
	bool	start(stack9_sink_kind, stack9_sample_fn *, void *arg,
		    const char *doing);
	// Wait for events at most so long, and take them.  Was there anything?
	bool	read(int timeout_ms);
	bool	over();
	// No more events; those that have come are taken.
	void	stop();

	bool	counts();	// give them to fn; false: it has been said why
	stack9_watch_tally tally() const;
	// Besides the tally: not all went as it should.
	bool	failed() const { return failed_; }
	// The one event as the library names it; "": they are several.
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

	options				opt_;	// -p is the command's
	screen				&screen_;
	command				command_;
	std::unique_ptr<stack9_watcher, closer> watch_;
	std::optional<clock::time_point> end_;
	std::string			label_;
	bool				failed_ = false;
};

// The rights are the file's: to watch everybody is not to be lent.
bool refuses_borrowed_rights(const options &, screen &);

} // namespace events
