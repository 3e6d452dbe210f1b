// Which routes serve a job, in what order, and which of them are allowed.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>

#include "core/seam/backend.h"

namespace stack9 {

// The i-th route of a job, or NULL behind the last; routes that
// stack9_force() rules out are passed over.  Async-signal-safe.
class job_routes {
public:
	explicit job_routes(job what) noexcept;
	route *next() noexcept;

private:
	job		what_;
	unsigned int	at_ = 0;
	std::uint64_t	mask_;
};

// job::self's first route, if it can; else NULL.  One load.
extern std::atomic<route *> first_own;
inline route *
own_route() noexcept
{
	return first_own.load(std::memory_order_relaxed);
}

// The refusal that helps most: EPERM (privilege helps) beats a want of
// resources (waiting helps) beats EOPNOTSUPP (nothing helps).
class refusal {
public:
	void add(int error, const char *reason, const char *route) noexcept;
	// EOPNOTSUPP if nothing was added.  Fills why, reason and route of rec.
	int report(stack9_record &rec) const noexcept;

private:
	int		 error_ = 0;
	const char	*reason_ = nullptr;
	const char	*route_ = nullptr;
};

// True if a further route may succeed where this one returned error.
bool is_refusal(int error) noexcept;

} // namespace stack9
