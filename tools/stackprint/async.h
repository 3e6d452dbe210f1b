// Captures the user stacks of threads when these return to user space.  All
// threads are submitted, waited for together, and collected in their order.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include <sys/types.h>

#include <stack9_async.h>

#include "advice.h"
#include "async_reasons.h"
#include "options.h"
#include "ours.h"
#include "process_space.h"
#include "submission.h"
#include "tools/lib/samples.h"

namespace stackprint {

class async {
public:
	// gated: the rights are borrowed, see rights.h.
	async(const options &, bool gated, advice &);

	// A consumer is called with the sample of each thread.  The reasons in
	// it are good as long as this object.  The consumer returns false to
	// end.  Returns how many threads were not asked, because the program
	// was interrupted or the consumer has returned false.
	using consumer = std::function<bool(const sample_ptr &)>;
	std::size_t	of(const std::vector<pid_t> &tids,
			    const consumer &consume);

private:
	void	open(std::size_t threads);
	std::size_t	submit(const pid_t *tids, std::size_t n);
	submission	submitted(pid_t tid);
	void	submit(submission &);
	void	find_and_submit(submission &);
	void	wait();
	void	drain();
	bool	collect(const consumer &);
	sample_ptr	sample_of(submission &);
	sample_ptr	collected(const submission &);

	const options	&opt_;
	const bool	 gated_;
	const std::size_t batch_max_;
	std::string	 late_;		// the reason
	advice		&advice_;
	process_space	 space_;
	async_reasons	 reasons_;
	unique_stream	 stream_;
	int		 ready_fd_ = -1, interrupted_fd_ = -1;
	int		 closed_ = EOPNOTSUPP;	// 0: captures can be submitted
	std::vector<submission> batch_;
	std::unordered_set<stack9_id> awaited_;	// in the batch
};

} // namespace stackprint
