// Makes samples by hand.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "synthetic_sample.h"

#include <cerrno>

#include "tools/lib/proc.h"

namespace stackprint {
namespace {

void
fail_side(stack9_stack &s, int error, stack9_why why, const char *reason,
    const char *route)
{
	const int side = s.side;
	s = {};
	s.side = side;
	s.error = error;
	s.why = why;
	s.reason = reason != nullptr ? reason : stack9_why_text(why);
	s.route = route;
}

void
cut_side(stack9_stack &s, std::uint32_t frames)
{
	if (s.depth <= frames)
		return;
	s.dropped += s.depth - frames;
	s.depth = frames;
	s.why = STACK9_WHY_TRUNCATED;
	s.reason = stack9_why_text(s.why);
}

} // namespace

std::shared_ptr<synthetic_sample>
synthetic_sample::of(const stack9_thread &td, int sides)
{
	const auto made = std::make_shared<synthetic_sample>();
	made->sample_.thread = td;
	introduce(made->sample_, made->comm_);
	made->kernel_.side = STACK9_KERNEL;
	made->user_.side = STACK9_USER;
	if (sides & STACK9_KERNEL)
		made->sample_.kernel = &made->kernel_;
	if (sides & STACK9_USER)
		made->sample_.user = &made->user_;
	return made;
}

std::shared_ptr<synthetic_sample>
synthetic_sample::of(const sample_ptr &from)
{
	const auto made = std::make_shared<synthetic_sample>();
	made->from_ = from;
	made->sample_ = *from;
	if (from->kernel != nullptr) {
		made->kernel_ = *from->kernel;
		made->sample_.kernel = &made->kernel_;
	}
	made->take_user(from);
	return made;
}

void
synthetic_sample::take_user(const sample_ptr &from)
{
	if (from->user == nullptr)
		return;
	user_from_ = from;
	user_ = *from->user;
	sample_.user = &user_;
	sample_.tracer = from->tracer;
}

void
synthetic_sample::fail(int error, stack9_why why, const char *reason,
    const char *route)
{
	fail_side(kernel_, error, why, reason, route);
	fail_side(user_, error, why, reason, route);
}

void
synthetic_sample::fail_user(int error, stack9_why why, const char *reason)
{
	fail_side(user_, error, why, reason, user_.route);
}

void
synthetic_sample::withhold(int error, advice &a)
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

void
synthetic_sample::cut(std::uint32_t frames)
{
	cut_side(kernel_, frames);
	cut_side(user_, frames);
}

} // namespace stackprint
