// Finds the owner of a lock of a language's machine or modules.  The walk of
// the language's frames has found the lock.
//
// The machine's threads wait for it in a condition variable or a semaphore of
// their own, so no word of the C library names it.  The owner is believed only
// if a thread of the process has the thread pointer that the machine has noted.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "context.h"

#include <algorithm>

#include <stack9_frames.h>

namespace stack9::waits {
namespace {

pid_t
thread_at(context &x, pid_t pid, std::uint64_t pointer)
{
	const auto &all = x.pointers.of(pid);
	const auto found = std::find_if(all.begin(), all.end(),
	    [=](const thread_pointers::one &t) {
		return pointer != 0 && t.pointer == pointer;
	    });
	return found != all.end() ? found->tid : 0;
}

int
kind_of(std::uint32_t flags) noexcept
{
	if ((flags & STACK9_WRITTEN_LOCK_OBJECT) == 0)
		return (flags & STACK9_WRITTEN_LOCK_INTERPRETER) != 0 ?
		    STACK9_WAIT_INTERPRETER : STACK9_WAIT_MONITOR;
	return (flags & STACK9_WRITTEN_LOCK_CONDITION) != 0 ?
	    STACK9_WAIT_CONDITION : (flags & STACK9_WRITTEN_LOCK_END) != 0 ?
	    STACK9_WAIT_JOIN : STACK9_WAIT_LOCK;
}

// False: nobody owns it.
bool
has_owner(blocked &w, std::uint32_t flags)
{
	if ((flags & STACK9_WRITTEN_LOCK_CONDITION) != 0)
		w.reason = "nobody owns it";
	else if ((flags & STACK9_WRITTEN_LOCK_OWNERLESS) != 0)
		w.reason = "a Lock does not record its owner";
	return w.reason[0] == '\0';
}

} // namespace

bool
find_language_lock(blocked &w, context &x)
{
	const stack9_written_lock *const lock = w.has_stack ?
	    w.sample->user->written_lock : nullptr;
	stack9_thread td{};
	if (lock == nullptr)
		return false;
	w.is(kind_of(lock->flags));
	w.address = lock->address;
	w.object = lock->object;
	if ((lock->flags & STACK9_WRITTEN_LOCK_ENDLESS) != 0) {
		w.flags &= ~STACK9_WAIT_TIMED;
		w.left_ns = 0;
	}
	if (!has_owner(w, lock->flags))
		return true;
	const bool ends = w.kind == STACK9_WAIT_JOIN;
	const pid_t tid = thread_at(x, w.pid(), lock->owner);
	if (lock->word == 0)
		w.is_handed_over();
	else if (tid == 0 || !x.people.find_here(w.pid(), tid, td))
		w.reason = ends ? "which thread it is is not known" :
		    "its owner is not known";
	else {
		w.words.push_back(x.words.depend(w.pid(), lock->word_at,
		    lock->word));
		w.add(td, ends ? STACK9_ROLE_TARGET : STACK9_ROLE_OWNER);
		w.flags |= STACK9_WAIT_ALL_HOLDERS;
	}
	return true;
}

} // namespace stack9::waits
