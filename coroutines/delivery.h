// Walks the copied stacks of goroutines, and lends a sample of each to the
// caller's function.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include <stack9_coroutines.h>

#include "api/sample.h"
#include "core/seam/thread.h"
#include "core/user_line.h"

#include "parked.h"

namespace stack9::coroutines {

class delivery {
public:
	delivery(const stack9_thread &process, const thread_stat &s,
	    std::uint32_t frames, stack9_coroutine_fn *fn, void *arg)
	    : process_(process), stat_(s), fn_(fn), arg_(arg), pcs_(frames) {}

	// By this space stacks are walked and named.
	void use(unique_space s) noexcept { space_ = std::move(s); }
	// state lives as long as this.  0; or ECANCELED.  Throws
	// std::bad_alloc.
	int take(const parked &, std::uint64_t id, const char *state,
	    bool waits);
	// Goroutines that were taken are all delivered then.
	int finish();

private:
	// A walk does not know these of its goroutine.
	struct reported {
		std::uint64_t	id;
		const char	*state;
		bool		waits;
	};

	void fill(stack_record &, const parked &);
	int queue(sides &, const reported &);
	int end_first();
	int walk(sides &, const reported &);
	int report(stack_record &, const reported &);

	const stack9_thread	 process_;
	const thread_stat	 stat_;
	stack9_coroutine_fn	*const fn_;
	void			*const arg_;
	std::vector<std::uintptr_t> pcs_;
	unique_space		 space_;
	lent_sample		 lent_;
	user_line		 line_;
	std::deque<reported>	 in_line_;
};

} // namespace stack9::coroutines
