// Judges each stack, and the thread by its stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stacks.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace stackprint {
namespace {

enum class verdict { none, whole, partial, failed, refused, gone };

verdict
verdict_on(const stack9_record *rec)
{
	if (rec == nullptr || is_absent(*rec))
		return verdict::none;
	switch (rec->error) {
	case 0:
		return rec->why == STACK9_WHY_NONE ? verdict::whole :
		    verdict::partial;
	case EPERM:
		return verdict::refused;
	case ESRCH:
		return verdict::gone;
	}
	return verdict::failed;
}

// An exiting thread may still be in the kernel when its user stack no longer
// exists.
bool
is_exiting(const stacks &s)
{
	return s.user != nullptr && s.user->error == ESRCH &&
	    s.user->why == STACK9_WHY_EXITING;
}

} // namespace

stack9_record &
stacks::who() const
{
	return kernel == nullptr || (user != nullptr && kernel->state == '?') ?
	    *user : *kernel;
}

bool
is_absent(const stack9_record &rec)
{
	return rec.error != 0 && (rec.why == STACK9_WHY_USER_MODE ||
	    rec.why == STACK9_WHY_KTHREAD);
}

bool
is_kernel_thread(const stacks &s)
{
	return s.user != nullptr && s.user->error != 0 &&
	    s.user->why == STACK9_WHY_KTHREAD;
}

bool
is_by_ptrace(const stack9_record &rec)
{
	return rec.side == STACK9_USER && rec.route != nullptr &&
	    std::strcmp(rec.route, "ptrace") == 0;
}

outcome
outcome_of(const stacks &s)
{
	const verdict kernel = verdict_on(s.kernel), user = verdict_on(s.user);
	const auto one_is = [=](verdict v) { return kernel == v || user == v; };

	if (one_is(verdict::whole) || one_is(verdict::partial)) {
		const bool all_there = !one_is(verdict::partial) &&
		    !one_is(verdict::failed) && !one_is(verdict::refused) &&
		    (!one_is(verdict::gone) || is_exiting(s));
		return all_there ? outcome::captured : outcome::partial;
	}
	// A dead thread gives no stack to anybody, even with all rights.
	return one_is(verdict::gone) ? outcome::gone :
	    one_is(verdict::refused) ? outcome::refused :
	    one_is(verdict::failed) ? outcome::failed : outcome::without;
}

void
fail(stack9_record &rec, int error, stack9_why why, const char *reason)
{
	rec.error = error;
	rec.why = why;
	rec.reason = reason;
	rec.flags = 0;
	rec.depth = rec.dropped = 0;
}

void
cut(stack9_record &rec, unsigned int depth)
{
	if (rec.depth <= depth)
		return;
	rec.dropped += rec.depth - depth;
	rec.depth = depth;
	rec.why = STACK9_WHY_TRUNCATED;
	rec.reason = nullptr;
}

kept_record::kept_record(const stack9_record &rec)
    : record_(rec)
{
	if (rec.pcs != nullptr)
		pcs_.assign(rec.pcs, rec.pcs + rec.depth);
	if (rec.text != nullptr && (rec.flags & STACK9_TEXT))
		text_.assign(rec.text, rec.text + std::strlen(rec.text) + 1);
	if (rec.space != nullptr)
		space_.reset(stack9_space_hold(rec.space));
}

stack9_record &
kept_record::get()
{
	record_.pcs = pcs_.data();
	record_.text = text_.empty() ? nullptr : text_.data();
	record_.text_size = text_.size();
	return record_;
}

kept_stacks::kept_stacks(const stacks &s)
    : has_kernel_(s.kernel != nullptr), has_user_(s.user != nullptr)
{
	if (has_kernel_)
		kernel_ = kept_record(*s.kernel);
	if (has_user_)
		user_ = kept_record(*s.user);
}

stacks
kept_stacks::get()
{
	return {has_kernel_ ? &kernel_.get() : nullptr,
	    has_user_ ? &user_.get() : nullptr};
}

} // namespace stackprint
