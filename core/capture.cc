// One capture: choose the job, go through its routes, try again while the
// thread will not hold still.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "capture.h"

#include <unistd.h>

#include "route.h"
#include "os/linux/uncancelled.h"
#include "user.h"

namespace stack9 {
namespace {

// Enough for a thread that flips all the time: of 34 million raw captures on
// two cores none needed more than 4.
constexpr int max_tries = 8;

// What a capture of the calling thread's own stack fills in.
void
reset_own(stack9_record &rec) noexcept
{
	rec.error = 0;
	rec.why = STACK9_WHY_NONE;
	rec.reason = nullptr;
	rec.route = nullptr;
	rec.flags = 0;
	rec.depth = 0;
	rec.dropped = 0;
	rec.when_ns = 0;
	rec.cpu = -1;
	rec.state = '?';
	rec.comm[0] = '\0';
	rec.side = STACK9_USER;
	rec.tracer = 0;
}

} // namespace

void
reset(stack9_record &rec, const stack9_thread &td, stack9_side side) noexcept
{
	reset_own(rec);
	rec.thread = td;
	rec.side = side;
	if (rec.text != nullptr && rec.text_size > 0)
		rec.text[0] = '\0';
}

int
finish(stack9_record &rec, int error) noexcept
{
	rec.error = error;
	if (error != 0)
		rec.depth = rec.dropped = 0;
	return error;
}

bool
has_room(const stack9_record &rec) noexcept
{
	return (rec.pcs != nullptr && rec.max > 0) ||
	    (rec.text != nullptr && rec.text_size > 1);
}

namespace {

// A further route may look where this one could not.
bool
asks_next(job what, int error, const stack9_record &rec) noexcept
{
	return is_refusal(error) || (what == job::sibling &&
	    error == EAGAIN && rec.why == STACK9_WHY_ON_CPU);
}

constexpr stack9_side
side_of(job what) noexcept
{
	return what == job::kernel || what == job::running ? STACK9_KERNEL :
	    STACK9_USER;
}

// The job's routes in order, until one has an answer.
int
by_routes(job what, const stack9_thread &td, stack9_record &rec, lead &l)
    noexcept
{
	refusal refused;
	job_routes routes(what);
	while (route *r = routes.next()) {
		reset(rec, td, side_of(what));
		const verdict v = r->can();
		if (v.error != 0) {
			refused.add(v.error, v.reason, r->name);
			continue;
		}
		rec.route = r->name;
		const int error = r->save(td, rec, l);
		if (!asks_next(what, error, rec))
			return error;
		refused.add(error == EAGAIN ? EOPNOTSUPP : error, rec.reason,
		    r->name);
	}
	return refused.report(rec);
}

// A thread on a CPU: only job::running can look there.  Where nothing can,
// the word says so.
int
save_running(const stack9_thread &td, stack9_record &rec, lead &l) noexcept
{
	const int error = by_routes(job::running, td, rec, l);
	if (error == EOPNOTSUPP && rec.why == STACK9_WHY_MACHINE)
		rec.why = STACK9_WHY_ON_CPU;
	return error;
}

int
save_sibling(const stack9_thread &td, stack9_record &rec) noexcept
{
	int error = 0;
	for (int tries = 0; tries < max_tries; tries++) {
		lead l;
		error = by_routes(job::sibling, td, rec, l);
		if (!worth_another_try(error, rec))
			break;
	}
	return finish(rec, error);
}

// Whether td, which has the caller's tid, means it and no earlier holder.
bool
is_caller(const stack9_thread &td) noexcept
{
	stack9_thread self{};
	return td.start == 0 || (stack9_thread_self(&self) == 0 &&
	    self.start == td.start);
}

int
save_caller(const stack9_thread &td, stack9_record &rec,
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

bool
worth_another_try(int error, const stack9_record &rec) noexcept
{
	return error == EAGAIN && (rec.why == STACK9_WHY_MOVED ||
	    rec.why == STACK9_WHY_TORN || rec.why == STACK9_WHY_REFUSED);
}

int
save_user(const stack9_thread &td, stack9_record &rec, const origin &first)
    noexcept
{
	if (td.pid == getpid())
		return td.tid == gettid() ? save_caller(td, rec, first) :
		    save_sibling(td, rec);
	save_sides(td, nullptr, rec);
	return rec.error;
}

int
save_kernel(const stack9_thread &td, stack9_record &rec) noexcept
{
	if (td.tid == gettid()) {
		// It asks, so it is in user mode; its frames in the capturing
		// system call would be about us, not about it.
		reset(rec, td, STACK9_KERNEL);
		const bool reused = !is_caller(td);
		rec.why = reused ? STACK9_WHY_REUSED : STACK9_WHY_USER_MODE;
		return finish(rec, reused ? ESRCH : EAGAIN);
	}
	int error = 0;
	for (int tries = 0; tries < max_tries; tries++) {
		lead l;
		error = by_routes(job::kernel, td, rec, l);
		// Without a lead, from a route that does not see CPUs, that is
		// the answer.
		if (error == EAGAIN && rec.why == STACK9_WHY_ON_CPU &&
		    l.cpu >= 0)
			error = save_running(td, rec, l);
		if (!worth_another_try(error, rec))
			break;
	}
	return finish(rec, error);
}

int
save_self(stack9_record &rec, const origin &first) noexcept
{
	lead l;
	l.first = first;
	if (route *const r = own_route()) {
		reset_own(rec);
		rec.route = r->name;
		const int error = r->save(rec.thread, rec, l);
		if (!is_refusal(error)) [[likely]]
			return finish(rec, error);
	}
	const uncancelled guard;
	const int kept = errno;
	const stack9_thread unnamed{};
	const int error = by_routes(job::self, unnamed, rec, l);
	errno = kept;
	return finish(rec, error);
}

} // namespace stack9

extern "C" int
stack9_save(enum stack9_side side, const struct stack9_thread *td,
    struct stack9_record *rec)
{
	using namespace stack9;
	if (td == nullptr || rec == nullptr)
		return EINVAL;
	reset(*rec, *td, side);
	const bool room = side == STACK9_USER ?
	    rec->pcs != nullptr && rec->max > 0 : has_room(*rec);
	if (td->tid < 1 || !room)
		return finish(*rec, EINVAL);
	const uncancelled guard;
	switch (side) {
	case STACK9_KERNEL:
		return save_kernel(*td, *rec);
	case STACK9_USER:
		return save_user(*td, *rec, STACK9_ORIGIN());
	case STACK9_BOTH:
		break;
	}
	return finish(*rec, EINVAL);
}

extern "C" int
stack9_save_self(struct stack9_record *rec)
{
	using namespace stack9;
	if (rec == nullptr)
		return EINVAL;
	if (rec->pcs == nullptr || rec->max == 0) {
		reset_own(*rec);
		return finish(*rec, EINVAL);
	}
	return save_self(*rec, STACK9_ORIGIN());
}
