// Watches the events of -e, and adds them to the tick to come.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <poll.h>
#include <stack9_watch.h>

#include "capture.h"
#include "options.h"

namespace stackrecord {

class events {
public:
	events(const options &o, capture &to) : opt_(o), to_(to) {}

	// Begins to watch.  Returns 0 or an errno; what says which event.
	int	open(std::string &what);
	// The descriptors that are readable when events have come.
	void	poll_for(std::vector<pollfd> &) const;
	// Adds what has come.  Returns 0 or an errno.
	int	read(recording::tick &);
	// Adds those that were lost since the last call.
	void	count_lost(recording::tick &);
	// No event comes from now on; those that have come can be read.
	void	stop() const;

	struct outcomes {
		std::uint64_t	lost = 0;
		std::uint64_t	lacking = 0;	// functions of a language
	};
	outcomes	sum() const;

private:
	struct closer {
		void
		operator()(stack9_watch *w) const
		{
			stack9_watch_close(w);
		}
	};
	struct watched {
		events		*all = nullptr;
		std::string	 name;		// as on the command line
		bool		 takes_time = false, ended = false;
		std::unique_ptr<stack9_watch, closer> watch;
	};

	static int	take(void *, const stack9_sample *) noexcept;
	int		open(watched &);

	const options	&opt_;
	capture		&to_;
	recording::tick	*tick_ = nullptr;
	bool		 no_memory_ = false;
	std::uint64_t	 lost_ = 0;	// in ticks
	std::vector<std::unique_ptr<watched>> all_;
};

} // namespace stackrecord
