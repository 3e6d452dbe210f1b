// Chooses with whose rights a thread is captured.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "capture.h"

#include <cerrno>

#include <unistd.h>

#include "tools/lib/rights.h"

namespace stackprint {
namespace {

// Names the thread for the header.
void
name(pid_t tid, stack9_record &rec)
{
	stack9_thread td{};
	if (stack9_thread_find(tid, &td) == 0)
		rec.thread = td;
}

} // namespace

capture::capture(const options &o, bool gated, advice &a)
    : opt_(o), gated_(gated), advice_(a), buffers_(o), space_(gated)
{
}

// A thread is stopped with only the caller's rights, so that the kernel itself
// says whether the caller may.
void
capture::capture_user(const stack9_thread &td)
{
	const lowered guard(gated_ && opt_.stop);
	if (guard)
		stack9_save(STACK9_USER, &td, &buffers_.user);
	else
		withhold_user();
}

void
capture::withhold_user()
{
	fail(buffers_.user, EPERM, STACK9_WHY_RIGHTS,
	    "not shown: it cannot be read with its caller's rights");
}

void
capture::capture_sides(const stack9_thread &td)
{
	const bool together = opt_.sides() == STACK9_BOTH &&
	    td.pid != getpid() && !(gated_ && opt_.stop);
	if (buffers_.asked_for.user != nullptr)
		buffers_.user.space = space_.of(td);
	// Without a space the library would open one with the file's rights.
	const bool no_space = gated_ && buffers_.user.space == nullptr;
	if (together && !no_space) {
		stack9_save_both(&td, &buffers_.kernel, &buffers_.user);
		return;
	}
	if (buffers_.asked_for.kernel != nullptr)
		stack9_save(STACK9_KERNEL, &td, &buffers_.kernel);
	if (buffers_.asked_for.user == nullptr)
		return;
	no_space ? withhold_user() : capture_user(td);
}

void
capture::capture_thread(pid_t tid)
{
	stack9_thread td{};
	const int error = stack9_thread_find(tid, &td);
	if (error != 0)
		buffers_.fail(error, error == ESRCH ? STACK9_WHY_GONE :
		    STACK9_WHY_RESOURCE, nullptr);
	else
		capture_sides(td);
}

// The caller must be allowed to trace each thread.  That is asked before the
// capture, so that nothing is taken from a stranger, and after it, because in
// between the thread may have become a set-user-ID program.
void
capture::capture_gated(pid_t tid)
{
	const gate g(tid);
	int error = g.ask();
	if (error == 0) {
		capture_thread(tid);
		error = g.ask();
	} else {
		const as_caller guard;
		if (guard)
			name(tid, buffers_.kernel);
		buffers_.user.thread = buffers_.kernel.thread;
	}
	if (error != 0)
		buffers_.withhold(error, advice_);
}

const stacks &
capture::of(pid_t tid)
{
	buffers_.clear(tid);
	gated_ ? capture_gated(tid) : capture_thread(tid);
	return buffers_.asked_for;
}

} // namespace stackprint
