// Copies the user side of a thread by the routes of its job, and unwinds the
// copy.  The copy grows as far as the walk needs it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "user.h"

#include <utility>

#include <unistd.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "core/seam/copy_taker.h"
#include "core/seam/extend_copy.h"
#include "os/refusals.h"
#include "capture.h"
#include "record.h"
#include "route.h"
#include "written.h"

namespace stack9 {
namespace {

struct target {
	const stack9_thread	&td;
	stack_record		*kernel;	// or NULL
	stack_record		&user;
	stopping		may;
	unique_space		*opened;
	// Most copies fit this block, so that they need no allocation.
	std::byte		first[8192];
	user_copy		copy{.stack = {.bytes = byte_buffer(first)},
				    .other = {}, .behind = {}, .further = {}};
	copying_route		*by = nullptr;	// the route of the copy
	bool			kernel_done = false;
	moment			when = moment::asleep;
	int			tries = 0;

	target(const stack9_thread &thread, stack_record *k, stack_record &u,
	    stopping m, unique_space *o) noexcept
	    : td(thread), kernel(k), user(u), may(m), opened(o) {}
};

// The thread that was asked for, and once one side has been taken, that side's:
// whoever has the tid may be another thread for the other side.
stack9_thread
same_thread(const target &t, const stack_record &taken) noexcept
{
	stack9_thread td = t.td;
	if (td.start == 0 && taken.thread.tid == td.tid)
		td.start = taken.thread.start;
	return td;
}

// Captures the kernel side by its own job, and before the user side, because a
// thread that was stopped and let go may be anywhere.
void
take_kernel_before(target &t) noexcept
{
	if (t.kernel == nullptr || t.kernel_done)
		return;
	t.kernel_done = true;
	save_kernel(same_thread(t, t.user), *t.kernel);
}

// l is filled by a route of job::user and read by one of job::user_running.
template <class Route, class Lead>
int
ask(Route &r, target &t, Lead &l) noexcept
{
	const bool both = t.kernel != nullptr && r.both_sides();
	if (both)
		reset(*t.kernel, t.td, STACK9_KERNEL);
	else
		take_kernel_before(t);
	t.copy.clear();
	t.by = &r;
	t.user.route = r.name;
	sides s{both ? t.kernel : nullptr, t.user, t.copy};
	const int error = r.copy(t.kernel_done ? same_thread(t, *t.kernel) :
	    t.td, s, l);
	if (both && !is_refusal(error)) {
		t.kernel_done = true;
		finish(*t.kernel, t.kernel->error);
	}
	return error;
}

bool
asks_next(int error, const stack_record &rec) noexcept
{
	return is_refusal(error) && error != EBUSY &&
	    rec.why != STACK9_WHY_KTHREAD;
}

template <job J, class Lead>
int
by_routes(target &t, Lead &l) noexcept
{
	return first_answer<J>(t.user, [&](interface_of<J> &r) {
		if (t.may == stopping::never && r.stops())
			return answer::refused(0, nullptr);
		reset(t.user, t.td, STACK9_USER);
		if (const verdict v = r.can(); v.error != 0)
			return answer::refused(v);
		const int error = ask(r, t, l);
		return asks_next(error, t.user) ?
		    answer::refused(error, t.user.reason) : answer::is(error);
	});
}

// Asks other routes for a thread on a CPU than for one that sleeps.
int
copy(target &t) noexcept
{
	lead l;
	int error = by_routes<job::user>(t, l);
	if (error != EAGAIN || t.user.why != STACK9_WHY_ON_CPU)
		return error;
	t.kernel_done = false;
	t.when = moment::passing;
	const bool reported_where = l.cpu >= 0;
	error = by_routes<job::user_running>(t, std::as_const(l));
	if (error != EOPNOTSUPP || t.user.why != STACK9_WHY_MACHINE)
		return error;
	t.user.why = STACK9_WHY_ON_CPU;
	// A route that sees no CPUs may copy the thread later, when it sleeps.
	return reported_where ? error : EAGAIN;
}

int
attempt(target &t) noexcept
{
	t.kernel_done = false;
	t.when = moment::asleep;
	const int error = copy(t);
	return error != 0 ? error : unwind_copy(t.by, t.copy, t.user,
	    t.opened, ++t.tries > max_tries / 2, t.when);
}

int
no_space(int error, stack_record &rec) noexcept
{
	rec.reason = error == EPERM ? maps_refused :
	    error == EOPNOTSUPP ? no_threads : nullptr;
	rec.why = error == EPERM ? STACK9_WHY_RIGHTS :
	    error == EOPNOTSUPP ? STACK9_WHY_MACHINE :
	    error == ESRCH ? STACK9_WHY_GONE : STACK9_WHY_RESOURCE;
	return error;
}

// A copy grows to twice its size at a time, or a piece further.
bool
may_grow(user_copy &copy) noexcept
{
	std::uint64_t all = 0;
	for (const copied_piece *p : copy.pieces())
		all += p->bytes.size();
	return !budgets::exceeds(2 * all + piece_near, budgets::stack_copy);
}

// Reads more of the thread's memory.  ENODATA: there is no more; or with
// in_part, the memory is not of its stack, and the thread has run since.
int
extend(copying_route *by, user_copy &copy, std::uint64_t wanted,
    stack_record &rec, bool in_part) noexcept
{
	if (by != nullptr && !may_grow(copy)) {
		leave_out(budgets::left_out::stacks);
		rec.why = STACK9_WHY_TRUNCATED;
		rec.reason = "more of its stack was in use than is copied";
		return ENODATA;
	}
	const int error = by == nullptr ? EOPNOTSUPP :
	    by->extend_copy(rec.thread, copy, wanted);
	if (error != EAGAIN && error != ESRCH)
		return error == 0 ? 0 : ENODATA;
	if (error == EAGAIN && in_part && !is_behind(copy.stack, wanted))
		return ENODATA;
	rec.why = error == EAGAIN ? STACK9_WHY_TORN : STACK9_WHY_GONE;
	return error;
}

} // namespace

int
unwind_copy(copying_route *by, user_copy &copy, stack_record &rec,
    unique_space *opened, bool in_part, moment when) noexcept
{
	unique_space own;
	stack9_space *space = rec.space;
	if (space == nullptr) {
		if (const int error = space_of_now(rec.thread, own); error != 0)
			return no_space(error, rec);
		space = own.get();
	}
	// A space that others hold never changes: it is replaced.
	const auto renew = [&](stack9_space *&with) {
		unique_space fresh;
		if (space_of_now(rec.thread, fresh) != 0 || fresh.get() == with)
			return false;
		own = std::move(fresh);
		with = own.get();
		return true;
	};
	int error = walk_and_extend(space, copy, rec, renew,
	    [&](std::uint64_t wanted) {
		return extend(by, copy, wanted, rec, in_part);
	});
	if (error == 0 && by != nullptr)
		error = add_written(*space, copy, when, in_part, rec);
	if (error == 0 && rec.taker != nullptr)
		rec.taker->take(rec, copy);
	if (opened != nullptr && own != nullptr) {
		rec.space = own.get();
		*opened = std::move(own);
	}
	return error;
}

void
find_space_of_walk(stack_record &rec, unique_space *opened) noexcept
{
	if (opened == nullptr || (rec.space != nullptr &&
	    space_has(*rec.space, rec.pcs, rec.depth)))
		return;
	unique_space own;
	if (space_of_now(rec.thread, own) != 0)
		return;
	rec.space = own.get();
	*opened = std::move(own);
}

void
save_sides(const stack9_thread &td, stack_record *kernel, stack_record &user,
    stopping may, unique_space *opened) noexcept
{
	target t{td, kernel, user, may, opened};
	try_until_still(user, [&] { return attempt(t); });
	take_kernel_before(t);	// if no route has taken it
	if (opened != nullptr && *opened != nullptr)
		user.space = opened->get();
}

int
save_user(const stack9_thread &td, stack_record &rec, const origin &first,
    stopping may, unique_space *opened) noexcept
{
	if (td.pid == getpid()) {
		rec.space = nullptr;
		return save_in_process(td, rec, first, may);
	}
	save_sides(td, nullptr, rec, may, opened);
	return rec.error;
}

} // namespace stack9
