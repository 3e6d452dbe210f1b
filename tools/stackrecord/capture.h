// Captures the threads that have run since the tick before.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <stack9.h>
#include <stack9_waits.h>

#include "options.h"
#include "spaces.h"
#include "targets.h"
#include "threads.h"
#include "tools/lib/samples.h"

namespace stackrecord {

class capture {
public:
	capture(const options &o, const targets &t)
	    : opt_(o), targets_(t), threads_(o.name_later) {}

	// Takes all that comes from now on into this tick.  restart: it is the
	// first one of a segment.
	void	expect(recording::tick &, bool restart);
	// Adds an event.
	void	count(const stack9_sample &, const recording::event &);
	// Fills the tick.  Returns 0 or an errno.
	int	take();
	// Ends the tick in place of that: all threads have ended.
	void	end() { threads_.end(); }

	const threads	&all() const { return threads_; }
	// Threads that have no user stack for want of what it takes, since the
	// beginning, and what was missing last.
	std::uint64_t	without_user() const { return without_user_; }
	const std::string &missing() const { return missing_; }

private:
	struct process {
		pid_t		pid = 0;
		std::size_t	looked_at = 0;
		bool		is_new = false;
		std::vector<stack9_thread> changed;
	};

	template <class Work>
	int	guarded(Work) noexcept;
	static int	look(void *, const stack9_state *) noexcept;
	static int	keep(void *, const stack9_sample *) noexcept;
	static int	keep_wait(void *, const stack9_wait *) noexcept;
	int		pass(stack9_side, stack9_sample_fn *);
	int		changed_ones();
	process		&process_of(pid_t);
	int		of_process(const process &);
	void		note_missing(const stack9_sample &);
	int		one(const stack9_thread &, stack9_space *);
	int		waits();

	const options	&opt_;
	const targets	&targets_;
	threads		 threads_;
	recording::tick	*tick_ = nullptr;
	bool		 restart_ = true;
	std::unordered_map<pid_t, process> processes_;	// in this tick
	process		*last_ = nullptr;
	spaces		 spaces_;
	std::vector<std::shared_ptr<const stack9_sample>> waiting_;
	std::map<std::array<std::uint32_t, 4>, std::size_t> counted_;
	bool		 no_memory_ = false;
	std::uint64_t	 without_user_ = 0;
	std::string	 missing_;
};

} // namespace stackrecord
