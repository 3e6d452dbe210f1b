// Uses two records and the memory that they point to again for each thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stack_buffers.h"

#include <cerrno>

namespace stackprint {
namespace {

constexpr std::size_t text_size = 65536;

stacks
chosen(stack9_side sides, stack9_record &kernel, stack9_record &user)
{
	return {sides & STACK9_KERNEL ? &kernel : nullptr,
	    sides & STACK9_USER ? &user : nullptr};
}

} // namespace

stack_buffers::stack_buffers(const options &o)
    : asked_for(chosen(o.sides(), kernel, user)), depth_(o.depth),
      pcs_(new std::uintptr_t[2 * std::size_t{o.depth}]),
      text_(new char[text_size])
{
}

void
stack_buffers::clear(pid_t tid)
{
	kernel = user = stack9_record{};
	kernel.side = STACK9_KERNEL;
	user.side = STACK9_USER;
	for (stack9_record *rec : {&kernel, &user}) {
		rec->thread.tid = tid;
		rec->cpu = -1;
		rec->state = '?';
		rec->max = depth_;
	}
	kernel.pcs = pcs_.get();
	user.pcs = pcs_.get() + depth_;
	kernel.text = text_.get();
	kernel.text_size = text_size;
}

void
stack_buffers::belongs_to(const stack9_thread &td)
{
	kernel.thread = user.thread = td;
}

void
stack_buffers::fail(int error, stack9_why why, const char *reason)
{
	stackprint::fail(kernel, error, why, reason);
	stackprint::fail(user, error, why, reason);
}

void
stack_buffers::withhold(int error, advice &a)
{
	if (error == EPERM)
		fail(EPERM, STACK9_WHY_RIGHTS,
		    "not yours: ptrace would be refused too");
	else if (error == EOPNOTSUPP)
		fail(EPERM, STACK9_WHY_RIGHTS, "not shown: this kernel has no "
		    "/proc/TID/syscall to ask whether it is yours");
	else
		fail(ESRCH, STACK9_WHY_GONE, nullptr);
	if (error == EPERM || error == EOPNOTSUPP)
		a.not_yours();
}

} // namespace stackprint
