// Asks the routes of a job in order, and chooses the refusal to report if none
// of them can do it.  The jobs that api/ leaves to their routes alone, a quick
// capture and a watch, are begun here.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "route_table.h"

namespace stack9 {

// A bit for each route that stack9_force() allows.
std::uint64_t allowed_routes() noexcept;

// The routes of a job that stack9_force() allows, in order.  Async-signal-safe.
template <job J>
class job_routes {
public:
	// NULL after the last.
	interface_of<J> *
	next() noexcept
	{
		while (at_ < row_.count) {
			const unsigned int i = at_++;
			if (allowed_ & row_.bit(i))
				return row_.of[i];
		}
		return nullptr;
	}

private:
	const job_row<interface_of<J>>	&row_ = all_routes().row<J>();
	const std::uint64_t		 allowed_ = allowed_routes();
	unsigned int			 at_ = 0;
};

// The first route of job::self; NULL: it cannot do it.  One load.
extern std::atomic<own_route *> first_own;
inline own_route *
first_own_route() noexcept
{
	return first_own.load(std::memory_order_relaxed);
}

// Captures the calling thread's stack the quick way; see own_route::save_pcs().
inline quick_stack
save_own_pcs(const origin &first, std::uintptr_t *pcs, std::uint32_t max)
    noexcept
{
	own_route *const r = first_own_route();
	return r == nullptr ? quick_stack{} : r->save_pcs(first.pc,
	    first.sp, first.fp, pcs, max);
}

// Calls every route, because those that are not allowed now may be later.
inline void
switch_own_stack(std::uintptr_t low, std::uintptr_t high) noexcept
{
	const auto &row = all_routes().row<job::self>();
	for (unsigned int i = 0; i < row.count; i++)
		row.of[i]->switch_stack(low, high);
}

// Begins a watch by a route of job::events.  Returns as stack9_watch_open(),
// with a sentence if it fails.
int begin_watch(const watch_request &, std::unique_ptr<event_watcher> &,
    std::string &why) noexcept;

// Keeps the refusal that helps most: EPERM (privilege helps) beats a lack of
// resources (waiting helps) beats EOPNOTSUPP (nothing helps).
class refusal {
public:
	void add(int error, const char *reason, const char *route) noexcept;
	// EOPNOTSUPP if nothing was added.  Fills why, reason and route of rec.
	int report(stack_record &rec) const noexcept;

private:
	int		 error_ = 0;
	const char	*reason_ = nullptr;
	const char	*route_ = nullptr;
};

// True if a further route may succeed where this one returned error.
bool is_refusal(int error) noexcept;

// The answer of one route: the answer of the job, or a refusal, after which the
// next route is asked.
struct answer {
	int		 error = 0;
	const char	*reason = nullptr;
	bool		 refuses = false;

	static answer is(int error) noexcept { return {error}; }
	static answer
	refused(int error, const char *reason) noexcept
	{
		return {error, reason, true};
	}
	static answer
	refused(const verdict &v) noexcept
	{
		return {v.error, v.reason, true};
	}
};

// Asks the routes of a job in order, by ask(route), until one has an answer.
// If all refuse, rec gets the refusal that helps most.
template <job J, class Ask>
int
first_answer(stack_record &rec, Ask ask)
{
	refusal refused;
	job_routes<J> routes;
	while (interface_of<J> *const r = routes.next()) {
		const answer a = ask(*r);
		if (!a.refuses)
			return a.error;
		refused.add(a.error, a.reason, r->name);
	}
	return refused.report(rec);
}

} // namespace stack9
