// Captures one stack: chooses the job, asks its routes, and tries again while
// the thread runs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "capture.h"

#include "core/seam/thread.h"

#include "by_routes.h"
#include "record.h"
#include "sibling.h"
#include "os/thread_id.h"
#include "os/uncancelled.h"

namespace stack9 {
namespace {

// Captures a thread on a CPU: only job::running sees it there.  If no route can
// do it, `why` says so.
int
save_running(const stack9_thread &td, stack_record &rec, const lead &l)
    noexcept
{
	const int error = by_routes<job::running>(td, STACK9_KERNEL, rec,
	    [&](running_route &r) { return r.save(td, rec, l); }, is_refusal);
	if (error == EOPNOTSUPP && rec.why == STACK9_WHY_MACHINE)
		rec.why = STACK9_WHY_ON_CPU;
	return error;
}

int
try_kernel(const stack9_thread &td, stack_record &rec) noexcept
{
	lead l;
	const int error = by_routes<job::kernel>(td, STACK9_KERNEL, rec,
	    [&](kernel_route &r) { return r.save(td, rec, l); }, is_refusal);
	// A route that does not see CPUs gives no lead: its answer is final.
	return error == EAGAIN && rec.why == STACK9_WHY_ON_CPU && l.cpu >= 0 ?
	    save_running(td, rec, l) : error;
}

// Returns true if td means the caller, and not an earlier thread with the
// caller's tid.
bool
is_caller(const stack9_thread &td) noexcept
{
	stack9_thread self{};
	return td.start == 0 || (stack9_thread_self(&self) == 0 &&
	    self.start == td.start);
}

int
save_caller(const stack9_thread &td, stack_record &rec,
    const origin &first) noexcept
{
	if (!is_caller(td)) {
		rec.why = STACK9_WHY_REUSED;
		return finish(rec, ESRCH);
	}
	const int error = save_self(rec, first);
	rec.thread = td;
	return error;
}

} // namespace

int
save_in_process(const stack9_thread &td, stack_record &rec,
    const origin &first, stopping may) noexcept
{
	return td.tid == thread_id() ? save_caller(td, rec, first) :
	    save_sibling(td, rec, may);
}

int
save_kernel(const stack9_thread &td, stack_record &rec) noexcept
{
	// A child of vfork(2) that asks for itself is found on a CPU below.
	if (is_calling_thread(td.tid)) {
		// The caller is in user mode.  Frames of the system call that
		// captures would be about the library, not about the caller.
		reset(rec, td, STACK9_KERNEL);
		const bool reused = !is_caller(td);
		rec.why = reused ? STACK9_WHY_REUSED : STACK9_WHY_USER_MODE;
		return finish(rec, reused ? ESRCH : EAGAIN);
	}
	return try_until_still(rec, [&] { return try_kernel(td, rec); });
}

int
save_self(stack_record &rec, const origin &first) noexcept
{
	if (own_route *const r = first_own_route()) {
		reset_own(rec);
		rec.route = r->name;
		const int error = r->save(rec, first);
		if (!is_refusal(error)) [[likely]]
			return finish(rec, error);
	}
	const uncancelled guard;
	const int kept = errno;
	const stack9_thread unnamed{};
	const int error = by_routes<job::self>(unnamed, STACK9_USER, rec,
	    [&](own_route &r) { return r.save(rec, first); }, is_refusal);
	errno = kept;
	return finish(rec, error);
}

} // namespace stack9
