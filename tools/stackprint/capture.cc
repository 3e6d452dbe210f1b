// Chooses with whose rights a thread is captured.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "capture.h"

#include <cstdlib>
#include <string>

#include "synthetic_sample.h"
#include "tools/lib/rights.h"

namespace stackprint {

stack9_save_options
save_options(const options &o)
{
	stack9_save_options s{};
	s.size = sizeof s;
	s.frames = o.depth;
	s.flags = o.native ? 0 : STACK9_SAVE_LANGUAGES;
	return s;
}

// Without a stack there is a sample all the same.
sample_ptr
capture::save(const stack9_thread &td, int side, stack9_space *space) const
{
	stack9_save_options o = save_options(opt_);
	o.space = space;
	stack9_sample *saved = nullptr;
	stack9_save(&td, side, &o, &saved);
	return owned(saved);
}

// The sides are of two captures.
sample_ptr
capture::with_kernel(const stack9_thread &td, const sample &user) const
{
	if (opt_.sides() == STACK9_USER)
		return std::make_shared<const sample>(user);
	const auto both = std::make_shared<sample>(*save(td, STACK9_KERNEL,
	    nullptr));
	both->user = user.user;
	both->name = user.name;
	both->tracer = user.tracer;
	both->captured.reset();
	return both;
}

// Withholds the user side: the library would read it with the file's rights.
sample_ptr
capture::without_user(const stack9_thread &td)
{
	return with_kernel(td, *synthetic_sample(td, STACK9_USER, EPERM,
	    STACK9_WHY_RIGHTS,
	    "not shown: it cannot be read with its caller's rights"));
}

// The space of the first thread of a process is that of the next ones.  With
// borrowed rights it was opened with the caller's rights, and a thread is
// stopped with the caller's rights too, so that the kernel itself says whether
// the caller may.
sample_ptr
capture::of_thread(pid_t tid)
{
	stack9_thread td{tid, 0, 0};
	const bool is_there = stack9_thread_find(tid, &td) == 0;
	const int sides = opt_.sides();
	if (!is_there || sides == STACK9_KERNEL)
		return save(td, sides, nullptr);
	stack9_space *const space = space_.of(td);
	if (gated_ && space == nullptr)
		return without_user(td);
	if (!gated_ || !opt_.stop)
		return save(td, sides, space);
	sample_ptr user;
	{
		const as_caller guard;
		if (guard)
			user = save(td, STACK9_USER, space);
	}
	return user == nullptr ? without_user(td) : with_kernel(td, *user);
}

// The caller must be allowed to trace each thread.  That is asked before the
// capture, so that nothing is taken from a stranger, and after it, because in
// between the thread may have become a set-user-ID program.
sample_ptr
capture::of_gated(pid_t tid)
{
	const gate g(tid);
	int error = g.ask();
	if (error == 0) {
		const sample_ptr shown = of_thread(tid);
		error = g.ask();
		if (error == 0)
			return shown;
	}
	const as_caller guard;
	stack9_thread td{tid, 0, 0};
	if (guard)
		stack9_thread_find(tid, &td);
	return withheld_sample(td, opt_.sides(), error, advice_);
}

sample_ptr
capture::of(pid_t tid)
{
	return gated_ ? of_gated(tid) : of_thread(tid);
}

bool
stop_threads()
{
	const char *forced = secure_getenv("STACK9_ROUTE");
	const std::string before =
	    forced != nullptr ? std::string(forced) + "," : "";
	return stack9_force((before + "ptrace").c_str()) == 0;
}

} // namespace stackprint
