// Implements condvar(9): a count of signals, on which threads sleep until it
// changes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9/sys/condvar.h>
#include <stack9/sys/mutex.h>
#include <stack9/sys/sx.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "os/timed_wait.h"
#include "word.h"

namespace stack9 {
namespace {

// A lock as its caller holds it: a mutex, or an sx lock that may be shared.
class held_lock {
public:
	explicit held_lock(struct lock_object *lock) noexcept :
	    mtx_(reinterpret_cast<struct mtx *>(lock)),
	    sx_((lock->lo_flags & STACK9_LO_SX) != 0 ?
	    reinterpret_cast<struct sx *>(lock) : nullptr),
	    exclusive_(sx_ != nullptr && stack9_sx_xlocked(sx_)) {}

	void
	release() const noexcept
	{
		if (sx_ != nullptr)
			stack9_sx_unlock(sx_);
		else
			stack9_mtx_unlock(mtx_);
	}
	void
	take() const noexcept
	{
		if (sx_ != nullptr)
			stack9_sx_lock(sx_, exclusive_);
		else
			stack9_mtx_lock(mtx_);
	}

private:
	struct mtx	*const mtx_;
	struct sx	*const sx_;
	const bool	exclusive_;
};

std::uint64_t
end_of(int ticks) noexcept
{
	return ticks == 0 ? 0 : end_after(static_cast<std::uint64_t>(
	    std::max(ticks, 0)) * (1000000000 / hz));
}

// Sleeps until the count is another.  0; EWOULDBLOCK; EINTR.
int
sleep_on(int &signals, int seen, int ticks, bool may_interrupt) noexcept
{
	const std::uint64_t end = end_of(ticks);
	while (word(signals).load() == seen) {
		const int error = wait_until(signals, seen, end);
		if (error == ETIMEDOUT)
			return word(signals).load() == seen ? EWOULDBLOCK : 0;
		if (error == EINTR && may_interrupt)
			return EINTR;
	}
	return 0;
}

} // namespace
} // namespace stack9

using namespace stack9;

extern "C" {

void
stack9_cv_init(struct cv *cv, const char *description)
{
	*cv = {};
	cv->cv_description = description;
}

// A signal between the release and the sleep has changed the count.
int
stack9_cv_wait(struct cv *cv, struct lock_object *lock, int ticks, int flags)
{
	const int kept = errno;
	const held_lock held(lock);
	const int seen = word(cv->cv_signals).load();
	word(cv->cv_waiters).fetch_add(1);
	held.release();
	const int error = sleep_on(cv->cv_signals, seen, ticks,
	    (flags & STACK9_CV_SIG) != 0);
	word(cv->cv_waiters).fetch_sub(1);
	if ((flags & STACK9_CV_KEEP) == 0)
		held.take();
	errno = kept;
	return error;
}

void
stack9_cv_wake(struct cv *cv, int all)
{
	const int kept = errno;
	word(cv->cv_signals).fetch_add(1);
	if (word(cv->cv_waiters).load() != 0)
		wake_some(cv->cv_signals, all != 0);
	errno = kept;
}

} // extern "C"
