// Whose stack is taken with whose rights.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "capture.h"

#include <cerrno>

#include <unistd.h>

#include "rights.h"

namespace stackprint {
namespace {

constexpr std::size_t text_room = 65536;

// Whose stack it would be, for the header.
void
name(pid_t tid, stack9_record &rec)
{
	stack9_thread td{};
	if (stack9_thread_find(tid, &td) == 0)
		rec.thread = td;
}

stacks
chosen(stack9_side sides, stack9_record &kernel, stack9_record &user)
{
	return {sides & STACK9_KERNEL ? &kernel : nullptr,
	    sides & STACK9_USER ? &user : nullptr};
}

} // namespace

capture::capture(const options &o, bool gated, advice &a)
    : opt_(o), gated_(gated), advice_(a),
      pcs_(new std::uintptr_t[2 * std::size_t{o.depth}]),
      text_(new char[text_room]),
      both_(chosen(o.sides(), kernel_, user_))
{
}

void
capture::clear(pid_t tid)
{
	kernel_ = user_ = stack9_record{};
	kernel_.side = STACK9_KERNEL;
	user_.side = STACK9_USER;
	for (stack9_record *rec : {&kernel_, &user_}) {
		rec->thread.tid = tid;
		rec->cpu = -1;
		rec->state = '?';
		rec->max = opt_.depth;
	}
	kernel_.pcs = pcs_.get();
	user_.pcs = pcs_.get() + opt_.depth;
	kernel_.text = text_.get();
	kernel_.text_size = text_room;
}

// With the caller's rights where ours are borrowed: it reads files that the
// caller's process has mapped.
stack9_space *
capture::space_of(const stack9_thread &td)
{
	if (space_ != nullptr && space_pid_ == td.pid)
		return space_.get();
	const auto guard = lowered(gated_);
	stack9_space *fresh = nullptr;
	space_.reset();
	if (stack9_space_open(&td, &fresh) == 0)
		space_.reset(fresh);
	space_pid_ = td.pid;
	return space_.get();
}

// A thread is stopped with the caller's rights alone, so that the kernel itself
// says whether the caller may.
void
capture::take_user(const stack9_thread &td)
{
	const auto guard = lowered(gated_ && opt_.stop);
	stack9_save(STACK9_USER, &td, &user_);
}

void
capture::take_sides(const stack9_thread &td)
{
	const bool together = opt_.sides() == STACK9_BOTH &&
	    td.pid != getpid() && !(gated_ && opt_.stop);
	if (both_.user != nullptr)
		user_.space = space_of(td);
	if (together) {
		stack9_save_both(&td, &kernel_, &user_);
		return;
	}
	if (both_.kernel != nullptr)
		stack9_save(STACK9_KERNEL, &td, &kernel_);
	if (both_.user != nullptr)
		take_user(td);
}

void
capture::fail_all(int error, stack9_why why, const char *reason)
{
	fail(kernel_, error, why, reason);
	fail(user_, error, why, reason);
}

void
capture::take(pid_t tid)
{
	stack9_thread td{};
	const int error = stack9_thread_find(tid, &td);
	if (error != 0)
		fail_all(error, error == ESRCH ? STACK9_WHY_GONE :
		    STACK9_WHY_RESOURCE, nullptr);
	else
		take_sides(td);
}

// Thread by thread, the caller must be one who might trace it: asked before
// the capture, so that nothing is taken from a stranger, and after it, because
// in between the thread may have become a set-user-ID program.
void
capture::take_gated(pid_t tid)
{
	const gate g(tid);
	int error = g.ask();
	if (error == 0) {
		take(tid);
		error = g.ask();
	} else {
		const as_caller guard;
		name(tid, kernel_);
		user_.thread = kernel_.thread;
	}
	if (error == EPERM)
		fail_all(EPERM, STACK9_WHY_RIGHTS,
		    "not yours: ptrace would be refused too");
	else if (error == EOPNOTSUPP)
		fail_all(EPERM, STACK9_WHY_RIGHTS, "not shown: this kernel "
		    "has no /proc/TID/syscall to ask whether it is yours");
	else if (error != 0)
		fail_all(ESRCH, STACK9_WHY_GONE, nullptr);
	if (error == EPERM || error == EOPNOTSUPP)
		advice_.not_yours();
}

const stacks &
capture::of(pid_t tid)
{
	clear(tid);
	gated_ ? take_gated(tid) : take(tid);
	return both_;
}

} // namespace stackprint
