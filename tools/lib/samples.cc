// Judges each stack, and the thread by its stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "samples.h"

#include <cerrno>
#include <cstring>

namespace tools {
namespace {

enum class verdict { none, whole, partial, failed, refused, gone };

verdict
verdict_on(const stack9_stack *s)
{
	if (s == nullptr || is_absent(*s))
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
is_exiting(const stack9_sample &s)
{
	return s.user != nullptr && s.user->error == ESRCH &&
	    s.user->why == STACK9_WHY_EXITING;
}

} // namespace

bool
is_absent(const stack9_stack &s)
{
	return s.error != 0 && (s.why == STACK9_WHY_USER_MODE ||
	    s.why == STACK9_WHY_KTHREAD);
}

bool
is_kernel_thread(const stack9_sample &s)
{
	return s.user != nullptr && s.user->error != 0 &&
	    s.user->why == STACK9_WHY_KTHREAD;
}

bool
is_of_core(const stack9_stack &s)
{
	return std::strcmp(s.route, "core") == 0;
}

bool
is_by_ptrace(const stack9_stack &s)
{
	return s.side == STACK9_USER && std::strcmp(s.route, "ptrace") == 0;
}

outcome
outcome_of(const stack9_sample &s)
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
