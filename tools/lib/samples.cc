// Judges each stack, and the thread by its stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "samples.h"

#include <cerrno>
#include <cstring>
#include <new>

#include "tools/model/from_library.h"

namespace tools {
namespace {

enum class verdict { none, whole, partial, failed, refused, gone };

verdict
verdict_on(const std::optional<stack> &s)
{
	if (!s.has_value() || is_absent(*s))
		return verdict::none;
	switch (s->error) {
	case 0:
		return s->why == STACK9_WHY_NONE ? verdict::whole :
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
is_exiting(const sample &s)
{
	return s.user.has_value() && s.user->error == ESRCH &&
	    s.user->why == STACK9_WHY_EXITING;
}

} // namespace

std::shared_ptr<const stack9_sample>
held(stack9_sample *s)
{
	if (s == nullptr)
		throw std::bad_alloc();
	return {s, stack9_sample_close};
}

sample_ptr
owned(stack9_sample *s)
{
	return std::make_shared<const sample>(from_library(held(s)));
}

sample_ptr
kept(const sample_ptr &s)
{
	return s.use_count() != 0 ? s :
	    owned(stack9_sample_hold(s->captured.get()));
}

bool
is_absent(const stack &s)
{
	return s.error != 0 && (s.why == STACK9_WHY_USER_MODE ||
	    s.why == STACK9_WHY_KTHREAD);
}

bool
is_kernel_thread(const sample &s)
{
	return s.user.has_value() && s.user->error != 0 &&
	    s.user->why == STACK9_WHY_KTHREAD;
}

bool
is_of_core(const stack &s)
{
	return std::strcmp(s.route, "core") == 0;
}

bool
is_by_ptrace(const stack &s)
{
	return s.side == STACK9_USER && std::strcmp(s.route, "ptrace") == 0;
}

outcome
outcome_of(const sample &s)
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

} // namespace tools
