// Looks at threads again and again, and captures only those that have run since
// they were captured.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include <stack9_waits.h>

#include "advice.h"
#include "capture.h"
#include "options.h"
#include "ours.h"
#include "tools/lib/samples.h"
#include "tools/lib/selection.h"
#include "tools/model/thread_table.h"

namespace stackprint {

struct tracked : looked_at {
	stack9_state	now{};		// comm is of comm
	std::string	comm;
	std::uint64_t	watched_ns = 0;	// it has not run since; boot time
	std::uint64_t	switches = 0;	// of the sample; 0: none is known
	sample_ptr	sample, before;	// the last two; NULL: there is none
	std::uint64_t	captured = 0;	// the pass that captured it last
	bool		is_new = false;	// since the last pass

	// True if it has run since it was captured.
	bool
	has_run() const
	{
		return switches == 0 || now.switches != switches ||
		    (now.flags & STACK9_STATE_ON_CPU) != 0;
	}
};

class tracker {
public:
	tracker(const options &, advice &);

	// Looks at all threads that the options name.  Returns 0, or an errno
	// and then a sentence.
	int	look(std::string &why);

	// Captures those that have run, each of which is in moved() then.
	void	capture();

	// By ascending tid.
	const std::map<pid_t, tracked> &all() const { return all_.all(); }
	// NULL: it is not there.
	const tracked	*of(const stack9_thread &) const;
	const std::vector<const tracked *> &moved() const { return moved_; }
	// Those of the pass before that are not there any more.
	const std::vector<tracked> &gone() const { return gone_; }

private:
	int	select(std::string &why);
	int	select_tids();
	int	look_at(pid_t pid);
	bool	is_wanted(const stack9_state &) const;
	void	add(const stack9_state &);
	bool	pass();
	void	put(const sample_ptr &);

	static int	reported(void *, const stack9_state *) noexcept;
	static int	delivered(void *, const stack9_sample *) noexcept;

	const options		&opt_;
	class capture		 capture_;
	std::optional<selection> selection_;
	std::vector<pid_t>	 processes_;	// 0: the machine
	std::unordered_set<pid_t> tids_;	// empty: any
	thread_table<tracked>	 all_;
	std::vector<tracked>	 gone_;
	std::vector<const tracked *> moved_;
	bool			 no_memory_ = false;	// in a callback
};

} // namespace stackprint
