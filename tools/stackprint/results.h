// Takes the samples one by one, prints and counts them, and says at the end
// what there is to say.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <deque>
#include <future>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <stack9.h>

#include "advice.h"
#include "coroutines.h"
#include "groups.h"
#include "options.h"
#include "ours.h"
#include "printer.h"
#include "process_advice.h"
#include "state_times.h"
#include "tally.h"
#include "tools/lib/names.h"
#include "tools/lib/output.h"
#include "tools/lib/samples.h"
#include "tracker.h"
#include "waits.h"

namespace stackprint {

class results {
public:
	// gated: the rights are borrowed, see rights.h.
	results(const options &, bool gated);

	void	add(const sample_ptr &);
	// Adds the goroutines of a process that run on no thread.
	void	add_coroutines(pid_t pid);
	void	add_coroutines(const stack9_thread &of_process);

	// Prints what waits for the end, and the closing line.  Returns the
	// exit status.
	int	finish();

	// False if nobody reads the output any more.
	bool
	good() const
	{
		return out_.good();
	}
	output	&out() { return out_; }
	names	&all_names() { return names_; }
	tally	&counts() { return tally_; }
	advice	&hints() { return advice_; }

private:
	void	keep(const sample_ptr &);
	void	print(const sample_ptr &);
	void	take_newer();
	void	print_waits();
	void	print_coroutines();
	bool	is_beside_the_point(const sample &) const;
	void	report_rest();

	const options		&opt_;
	const bool		 gated_;
	advice			 advice_;
	output			 out_;
	names			 names_;
	process_advice		 process_advice_;
	// With --waits: how long threads are in their states.  With --why it
	// would take a sixth of the time.
	const std::unique_ptr<tracker> moment_;
	const std::optional<state_times> times_;
	found_waits		 waits_;
	found_coroutines	 coroutines_;
	const view		 view_;
	const std::unique_ptr<printer> printer_;
	tally			 tally_;
	groups			 groups_;
	std::deque<sample_ptr>	 kept_;
	std::future<void>	 waits_prepared_;
	fmt::memory_buffer	 block_;
};

} // namespace stackprint
