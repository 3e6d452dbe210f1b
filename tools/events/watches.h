// Watches the same events of several processes, each by a watch of its own, as
// if it were one watch.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <stack9_watch.h>

namespace events {

class watches {
public:
	// Each watch has a ring buffer, and each event runs the programs of all
	// of them.
	static constexpr std::size_t most = 64;

	// Adds a watch.  Returns 0 or an errno, and then the reason.
	int	add(const std::string &event, const stack9_watch_options &,
		    std::string &reason);
	void	clear() { all_.clear(); }
	std::size_t size() const { return all_.size(); }

	// As the calls of these names do.  Events of one process come in their
	// order.
	int	read(int timeout_ms, stack9_sample_fn *, void *arg);
	int	stop();
	int	each(stack9_sample_fn *, void *arg);
	int	tally(stack9_tally &sum) const;
	void	events(stack9_event_fn *, void *arg) const;

private:
	struct closer {
		void
		operator()(stack9_watch *w) const
		{
			stack9_watch_close(w);
		}
	};
	struct one {
		std::unique_ptr<stack9_watch, closer> watch;
		bool	ended = false;		// its process, all is read
	};

	int	wait(int timeout_ms) const;

	std::vector<one>	all_;
};

} // namespace events
