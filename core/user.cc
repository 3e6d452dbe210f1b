// User stacks of threads of other processes: a route copies registers and
// stack, and what was copied is unwound here, when nobody is held any more.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "user.h"

#include <unistd.h>

#include "capture.h"
#include "route.h"
#include "os/linux/uncancelled.h"

namespace stack9 {
namespace {

// As for kernel stacks: see capture.cc.
constexpr int max_tries = 8;
// Twice as much each time: of 64 KiB, 2 GiB.
constexpr int max_pieces = 16;

struct target {
	const stack9_thread	&td;
	stack9_record		*kernel;	// or NULL
	stack9_record		&user;
	stopping		may;
	user_copy		copy{};
	route			*by = nullptr;	// whose copy it is
	bool			kernel_done = false;
};

// The kernel side by a job of its own, and before the user side: a thread that
// was stopped and let go may be anywhere.
void
take_kernel_before(target &t) noexcept
{
	if (t.kernel == nullptr || t.kernel_done)
		return;
	t.kernel_done = true;
	save_kernel(t.td, *t.kernel);
}

int
ask(route &r, target &t, lead &l) noexcept
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
	const int error = r.copy(t.td, s, l);
	if (both && !is_refusal(error)) {
		t.kernel_done = true;
		finish(*t.kernel, t.kernel->error);
	}
	return error;
}

bool
asks_next(int error, const stack9_record &rec) noexcept
{
	return is_refusal(error) && error != EBUSY &&
	    rec.why != STACK9_WHY_KTHREAD;
}

int
by_routes(job what, target &t, lead &l) noexcept
{
	refusal refused;
	job_routes routes(what);
	while (route *r = routes.next()) {
		if (t.may == stopping::never && r->stops())
			continue;
		reset(t.user, t.td, STACK9_USER);
		const verdict v = r->can();
		if (v.error != 0) {
			refused.add(v.error, v.reason, r->name);
			continue;
		}
		const int error = ask(*r, t, l);
		if (!asks_next(error, t.user))
			return error;
		refused.add(error, t.user.reason, r->name);
	}
	return refused.report(t.user);
}

// For a thread on a CPU others are asked than for one that sleeps.
int
copy(target &t) noexcept
{
	lead l;
	int error = by_routes(job::user, t, l);
	if (error != EAGAIN || t.user.why != STACK9_WHY_ON_CPU)
		return error;
	t.kernel_done = false;
	const bool told_where = l.cpu >= 0;
	error = by_routes(job::user_running, t, l);
	if (error != EOPNOTSUPP || t.user.why != STACK9_WHY_MACHINE)
		return error;
	t.user.why = STACK9_WHY_ON_CPU;
	// By a route that sees no CPUs it may be had another time, asleep.
	return told_where ? error : EAGAIN;
}

int
attempt(target &t) noexcept
{
	t.kernel_done = false;
	const int error = copy(t);
	return error != 0 ? error : unwind_copy(*t.by, t.copy, t.user);
}

const char *
lacks_space(int error) noexcept
{
	return error == EPERM ? "its mappings, /proc/TID/maps, cannot be read: "
	    "needs CAP_SYS_PTRACE, or to be its user" : nullptr;
}

int
no_space(int error, stack9_record &rec) noexcept
{
	rec.reason = lacks_space(error);
	rec.why = error == EPERM ? STACK9_WHY_RIGHTS : error == ESRCH ?
	    STACK9_WHY_GONE : STACK9_WHY_RESOURCE;
	return error;
}

// More of its memory.  0; ENODATA: there is none to be had.
int
fetch(route &by, user_copy &copy, std::uint64_t wanted, stack9_record &rec)
    noexcept
{
	const int error = by.copy_on(rec.thread, copy, wanted);
	if (error != EAGAIN && error != ESRCH)
		return error == 0 ? 0 : ENODATA;
	rec.why = error == EAGAIN ? STACK9_WHY_TORN : STACK9_WHY_GONE;
	return error;
}

int
unwind_in(stack9_space &space, route &by, user_copy &copy,
    stack9_record &rec) noexcept
{
	bool renewed = false;
	for (int pieces = 0;;) {
		std::uint64_t wanted = 0;
		const space_walk how = walk_copy(space, copy, rec, wanted);
		if (how == space_walk::wants_renewal && !renewed) {
			renewed = true;
			if (space_renew(space) == 0)
				continue;
		}
		if (how != space_walk::wants_more || ++pieces > max_pieces)
			return 0;
		const int error = fetch(by, copy, wanted, rec);
		if (error != 0)
			return error == ENODATA ? 0 : error;
	}
}

} // namespace

int
unwind_copy(route &by, user_copy &copy, stack9_record &rec) noexcept
{
	unique_space own;
	stack9_space *space = rec.space;
	if (space == nullptr) {
		if (const int error = space_open(rec.thread, space); error != 0)
			return no_space(error, rec);
		own.reset(space);
	}
	return unwind_in(*space, by, copy, rec);
}

void
save_sides(const stack9_thread &td, stack9_record *kernel, stack9_record &user,
    stopping may) noexcept
{
	target t{td, kernel, user, may};
	int error = 0;
	for (int tries = 0; tries < max_tries; tries++) {
		error = attempt(t);
		if (!worth_another_try(error, user))
			break;
	}
	finish(user, error);
	take_kernel_before(t);	// no route came as far as that
}

} // namespace stack9

extern "C" int
stack9_save_both(const struct stack9_thread *td, struct stack9_record *kernel,
    struct stack9_record *user)
{
	using namespace stack9;
	if (td == nullptr || kernel == nullptr || user == nullptr)
		return EINVAL;
	reset(*kernel, *td, STACK9_KERNEL);
	reset(*user, *td, STACK9_USER);
	if (td->tid < 1 || !has_room(*kernel) || user->pcs == nullptr ||
	    user->max == 0) {
		finish(*kernel, EINVAL);
		return finish(*user, EINVAL);
	}
	const uncancelled guard;
	if (td->pid == getpid()) {
		save_kernel(*td, *kernel);
		save_user(*td, *user, STACK9_ORIGIN());
	} else {
		save_sides(*td, kernel, *user);
	}
	return 0;
}
