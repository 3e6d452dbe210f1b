// Implements mutex(9) and sx(9): words that a thread sets to its tid or to a
// number of holders, and waits for until it changes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9/sys/mutex.h>
#include <stack9/sys/proc.h>
#include <stack9/sys/sx.h>

#include <cerrno>

#include "os/wait_word.h"

#include "console.h"
#include "word.h"

namespace stack9 {
namespace {

int
self() noexcept
{
	return curthread->td_tid;
}

// Waits until take() has changed the word and returned true.
template <class take_word> void
wait_for(int &value, int &waiters, take_word take) noexcept
{
	const int kept = errno;
	while (!take()) {
		word(waiters).fetch_add(1);
		const int seen = word(value).load();
		if (seen != 0)
			wait_on_word(value, seen);
		word(waiters).fetch_sub(1);
	}
	errno = kept;
}

void
wake(int &value, int &waiters) noexcept
{
	if (word(waiters).load() != 0)
		wake_waiters(value);
}

bool
take_mtx(struct mtx &m, int tid) noexcept
{
	int none = 0;
	return word(m.mtx_owner).compare_exchange_strong(none, tid);
}

// Adds one holder, or makes the caller the one holder.
bool
take_sx(struct sx &sx, bool exclusive) noexcept
{
	const word holders(sx.sx_holders);
	int was = holders.load();
	while (exclusive ? was == 0 : was >= 0)
		if (holders.compare_exchange_weak(was,
		    exclusive ? -1 : was + 1))
			return true;
	return false;
}

int
owner_of(const int &owner) noexcept
{
	return word(const_cast<int &>(owner)).load();
}

const char *
name_of(const struct lock_object &lock) noexcept
{
	return lock.lo_name != nullptr ? lock.lo_name : "?";
}

const char *
kind_of(const struct sx &sx) noexcept
{
	return (sx.lock_object.lo_flags & STACK9_LO_RW) != 0 ? "rwlock" : "sx";
}

void
begin(struct lock_object &lock, const char *name, bool recursive) noexcept
{
	lock = {};
	lock.lo_name = name;
	lock.lo_flags = LO_INITIALIZED | (recursive ? LO_RECURSABLE : 0);
}

} // namespace
} // namespace stack9

using namespace stack9;

extern "C" {

void
stack9_mtx_init(struct mtx *m, const char *name, int opts)
{
	*m = {};
	begin(m->lock_object, name, (opts & MTX_RECURSE) != 0);
}

void
stack9_mtx_destroy(struct mtx *m)
{
	*m = {};
}

void
stack9_mtx_lock(struct mtx *m)
{
	const int tid = self();
	if (owner_of(m->mtx_owner) == tid) {
		if ((m->lock_object.lo_flags & LO_RECURSABLE) == 0)
			stack9_panic("mtx_lock() of mutex %s that this thread "
			    "owns", name_of(m->lock_object));
		m->mtx_recurse++;
		return;
	}
	wait_for(m->mtx_owner, m->mtx_waiters,
	    [&] { return take_mtx(*m, tid); });
}

int
stack9_mtx_trylock(struct mtx *m)
{
	const int tid = self();
	if (owner_of(m->mtx_owner) == tid &&
	    (m->lock_object.lo_flags & LO_RECURSABLE) != 0) {
		m->mtx_recurse++;
		return 1;
	}
	return take_mtx(*m, tid);
}

void
stack9_mtx_unlock(struct mtx *m)
{
	if (owner_of(m->mtx_owner) != self())
		stack9_panic("mtx_unlock() of mutex %s that this thread does "
		    "not own", name_of(m->lock_object));
	if (m->mtx_recurse != 0) {
		m->mtx_recurse--;
		return;
	}
	word(m->mtx_owner).store(0);
	wake(m->mtx_owner, m->mtx_waiters);
}

int
stack9_mtx_owned(const struct mtx *m)
{
	return owner_of(m->mtx_owner) == self();
}

void
stack9_mtx_assert(const struct mtx *m, int what)
{
	const bool owned = stack9_mtx_owned(m) != 0;
	if (owned != ((what & LA_XLOCKED) != 0))
		stack9_panic("mutex %s is %sowned", name_of(m->lock_object),
		    owned ? "" : "not ");
	if ((what & LA_RECURSED) != 0 && m->mtx_recurse == 0)
		stack9_panic("mutex %s is not recursed",
		    name_of(m->lock_object));
	if ((what & LA_NOTRECURSED) != 0 && m->mtx_recurse != 0)
		stack9_panic("mutex %s is recursed", name_of(m->lock_object));
}

void
stack9_sx_init(struct sx *sx, const char *name, int opts)
{
	*sx = {};
	begin(sx->lock_object, name, (opts & SX_RECURSE) != 0);
	sx->lock_object.lo_flags |= STACK9_LO_SX |
	    ((opts & STACK9_SX_RW) != 0 ? STACK9_LO_RW : 0);
}

void
stack9_sx_destroy(struct sx *sx)
{
	*sx = {};
}

int
stack9_sx_trylock(struct sx *sx, int exclusive)
{
	if (!take_sx(*sx, exclusive != 0))
		return 0;
	if (exclusive)
		word(sx->sx_owner).store(self());
	return 1;
}

void
stack9_sx_lock(struct sx *sx, int exclusive)
{
	if (stack9_sx_xlocked(sx)) {
		if (!exclusive ||
		    (sx->lock_object.lo_flags & LO_RECURSABLE) == 0)
			stack9_panic("%clock() of %s %s that this thread "
			    "owns", exclusive ? 'x' : 's', kind_of(*sx),
			    name_of(sx->lock_object));
		sx->sx_recurse++;
		return;
	}
	wait_for(sx->sx_holders, sx->sx_waiters,
	    [&] { return stack9_sx_trylock(sx, exclusive) != 0; });
}

void
stack9_sx_unlock(struct sx *sx)
{
	const int holders = owner_of(sx->sx_holders);
	if (holders == 0 || (holders < 0 && !stack9_sx_xlocked(sx)))
		stack9_panic("unlock() of %s %s that this thread does not "
		    "hold", kind_of(*sx), name_of(sx->lock_object));
	if (holders < 0 && sx->sx_recurse != 0) {
		sx->sx_recurse--;
		return;
	}
	if (holders < 0) {
		word(sx->sx_owner).store(0);
		word(sx->sx_holders).store(0);
	} else
		word(sx->sx_holders).fetch_sub(1);
	wake(sx->sx_holders, sx->sx_waiters);
}

int
stack9_sx_try_upgrade(struct sx *sx)
{
	int one = 1;
	if (!word(sx->sx_holders).compare_exchange_strong(one, -1))
		return 0;
	word(sx->sx_owner).store(self());
	return 1;
}

void
stack9_sx_downgrade(struct sx *sx)
{
	if (!stack9_sx_xlocked(sx) || sx->sx_recurse != 0)
		stack9_panic("downgrade of %s %s that this thread does not "
		    "hold once", kind_of(*sx), name_of(sx->lock_object));
	word(sx->sx_owner).store(0);
	word(sx->sx_holders).store(1);
	wake(sx->sx_holders, sx->sx_waiters);
}

int
stack9_sx_xlocked(const struct sx *sx)
{
	return owner_of(sx->sx_owner) == self();
}

void
stack9_sx_assert(const struct sx *sx, int what)
{
	const int holders = owner_of(sx->sx_holders);
	const bool owned = stack9_sx_xlocked(sx) != 0;
	const bool good = (what & LA_XLOCKED) != 0 ? owned :
	    (what & LA_SLOCKED) != 0 ? holders > 0 :
	    (what & LA_LOCKED) != 0 ? owned || holders > 0 : !owned;
	if (!good)
		stack9_panic("%s %s: assertion %#x fails with %d holders",
		    kind_of(*sx), name_of(sx->lock_object), what, holders);
}

} // extern "C"
