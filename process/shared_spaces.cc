// Keeps the newest space of each process that has one in use, and gives it to
// those who ask.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "shared_spaces.h"

#include <new>

#include <pthread.h>

#include "core/seam/reader.h"
#include "os/forked_lock.h"

namespace stack9 {
namespace {

void
in_child() noexcept
{
	shared_spaces::of_program().leave_in_child();
}

const int at_fork = pthread_atfork(nullptr, nullptr, in_child);

void
end_space(stack9_space *s) noexcept
{
	if (reader *const r = the_reader.load())
		r->forget(*s);
	delete s;
}

} // namespace

shared_spaces &
shared_spaces::of_program() noexcept
{
	static shared_spaces &the = *new shared_spaces;
	return the;
}

stack9_space *
shared_spaces::same_or_add(stack9_space &made) noexcept
{
	const std::lock_guard hold(lock_);
	try {
		stack9_space *&known = by_pid_[made.thread().pid];
		if (known != nullptr && known->try_hold()) {
			if (known->is_same_code(made))
				return known;
			// Others still hold it: this is not the last drop,
			// unless they drop theirs right now.
			if (known->drop())
				end_space(known);
		}
		known = &made;
	} catch (const std::bad_alloc &) {
		// The space is not shared.
	}
	return &made;
}

void
shared_spaces::forget(const stack9_space &s) noexcept
{
	const std::lock_guard hold(lock_);
	const auto at = by_pid_.find(s.thread().pid);
	if (at != by_pid_.end() && at->second == &s)
		by_pid_.erase(at);
}

void
space_drop(stack9_space *s) noexcept
{
	if (s == nullptr || !s->drop())
		return;
	shared_spaces::of_program().forget(*s);
	end_space(s);
}

// A thread that the child does not have may have held the lock.  A table that
// was being changed is left as it is.
void
shared_spaces::leave_in_child() noexcept
{
	if (free_in_child(lock_))
		new (&by_pid_) decltype(by_pid_);
}

// The space in use may be of old mappings.  So a new one is made in any case,
// and is dropped again if it says the same: files that are known cost nothing.
int
space_of_now(const stack9_thread &td, unique_space &out) noexcept
{
	stack9_space *made = nullptr;
	if (const int error = space_open(td, made); error != 0)
		return error;
	out.reset(shared_spaces::of_program().same_or_add(*made));
	if (out.get() != made)
		space_drop(made);
	return 0;
}

} // namespace stack9
