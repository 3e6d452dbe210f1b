// Finds the kinds of futexes, and the owners of mutexes.  The function of the C
// library, the arguments of futex(2) and the layout of the lock have to agree.
// If they do not, the kind is unknown.  Layouts are those of glibc (struct
// __pthread_mutex_s); musl's owned mutexes keep their owner in the word itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "context.h"

#include <array>
#include <cerrno>

#include <linux/futex.h>
#include <time.h>

namespace stack9::waits {
namespace {

constexpr std::uint32_t tid_mask = FUTEX_TID_MASK;
constexpr int lock_pi2 = 13;	// FUTEX_LOCK_PI2, Linux 5.14

struct glibc_mutex {
	std::uint32_t	lock, count, owner, users, kind;
};
constexpr std::uint32_t kind_robust = 16, kind_shared = 128,
    kind_known = 0x3ff;

struct operation {
	int		command;
	bool		shared;
	std::uint32_t	value;
	std::uint64_t	at;
};

void
unreadable(blocked &w)
{
	w.is(STACK9_WAIT_FUTEX, errno == EPERM ? "its memory cannot be read "
	    "without privilege" : "its memory cannot be read");
}

void
find_pi_mutex(blocked &w, context &x, const operation &o)
{
	std::uint32_t word = 0;
	if (!x.words.read(w.pid(), o.at, word))
		return unreadable(w);
	w.is(STACK9_WAIT_PI_MUTEX);
	if ((word & tid_mask) == 0)
		w.is_handed_over();
	else if ((word & FUTEX_OWNER_DIED) != 0)
		w.reason = "its owner is dead";
	else
		add_owner(w, x, o.at, word, word & tid_mask, o.shared,
		    STACK9_ROLE_OWNER);
}

// A word with a tid: glibc's robust mutex, or musl's.
void
find_robust_mutex(blocked &w, context &x, const operation &o, bool named)
{
	glibc_mutex m{};
	if (!x.words.read(w.pid(), o.at, m))
		return unreadable(w);
	const std::uint32_t tid = m.lock & tid_mask;
	const bool is_glibc = m.owner == tid && (m.kind & kind_robust) != 0 &&
	    (m.kind & ~kind_known) == 0;
	if (!is_glibc && !named)
		return w.is(STACK9_WAIT_FUTEX, "its word is not that "
		    "of a robust mutex");
	w.is(STACK9_WAIT_MUTEX);
	if (tid == 0)
		w.is_handed_over();
	else if ((m.lock & FUTEX_OWNER_DIED) != 0)
		w.reason = "its owner is dead";
	else
		add_owner(w, x, o.at, m.lock, tid, true, STACK9_ROLE_OWNER);
}

void
find_mutex(blocked &w, context &x, const operation &o)
{
	constexpr std::uint32_t contended = 2;
	glibc_mutex m{};
	if ((o.value & FUTEX_WAITERS) != 0)
		return find_robust_mutex(w, x, o, true);
	if (!x.words.read(w.pid(), o.at, m))
		return unreadable(w);
	if (o.value != contended || (m.kind & ~kind_known) != 0 ||
	    ((m.kind & kind_shared) != 0) != o.shared)
		return w.is(STACK9_WAIT_FUTEX, "its memory does not look like "
		    "a mutex of glibc");
	w.is(STACK9_WAIT_MUTEX);
	// These three words are written one after another.  An owner in only
	// some of them has not taken it yet, or has given it back.
	if (m.lock == 0 || m.owner == 0 || m.users == 0)
		w.is_handed_over("no owner is recorded in it: it is being "
		    "handed over, or its lock was elided");
	else
		add_owner(w, x, o.at + 8, m.owner, m.owner, o.shared,
		    STACK9_ROLE_OWNER);
}

// From glibc 2.43 on the word is the thread's state and not a tid.  It lies in
// the thread's struct pthread (nptl/descr.h).  On x86-64 that structure begins
// with two pointers to itself, and has the tid at the place that it had before.
constexpr std::uint32_t state_joinable = 2;

void
find_join_by_state(blocked &w, context &x, const operation &o)
{
	constexpr std::size_t before = 512, self = 2, tid_at = 0x2d0;
	std::array<std::uint64_t, before> front;
	std::uint32_t tid = 0;
	w.reason = "the C library has not said which thread it is";
	if (!x.words.read_bytes(w.pid(), o.at - sizeof front, front.data(),
	    sizeof front))
		return;
	for (std::size_t i = before - tid_at / 8; i-- > 0;) {
		const std::uint64_t at = o.at - sizeof front + 8 * i;
		if (front[i] != at || front[i + self] != at)
			continue;
		w.reason = "";
		if (!x.words.read(w.pid(), at + tid_at, tid))
			unreadable(w);
		else
			add_owner(w, x, at + tid_at, tid, tid, false,
			    STACK9_ROLE_TARGET);
		return;
	}
}

void
find_join(blocked &w, context &x, const operation &o)
{
	std::uint32_t word = 0;
	if (!x.words.read(w.pid(), o.at, word))
		return unreadable(w);
	w.is(STACK9_WAIT_JOIN);
	if (word == 0 || word != o.value)
		w.reason = "the thread ends just now";
	else if (word == state_joinable)
		find_join_by_state(w, x, o);
	else
		add_owner(w, x, o.at, word, word, false, STACK9_ROLE_TARGET);
}

const char *
why_unknown(const blocked &w)
{
	return w.has_stack ? "its user stack names no lock of the C library" :
	    "no user stack of this wait shows its kind";
}

void
find_by_function(blocked &w, context &x, const operation &o)
{
	const lock_function f = !w.has_stack ? lock_function::none :
	    x.functions.of(*w.sample->user, w.pid());
	switch (f) {
	case lock_function::mutex:
		return find_mutex(w, x, o);
	case lock_function::read:
	case lock_function::write:
		return find_rwlock(w, x, f == lock_function::write);
	case lock_function::join:
		return find_join(w, x, o);
	case lock_function::condition:
		// It also waits for its own lock, and for the mutex, whose
		// words say that they are locked.  Up to glibc 2.31 a wait
		// without an end is FUTEX_WAIT, too, for 0 signals.
		if (o.command != FUTEX_WAIT_BITSET && o.value != 0)
			return w.is(STACK9_WAIT_FUTEX, "a condition variable's "
			    "own lock, or its mutex");
		if (find_language_lock(w, x) ||
		    find_interpreter_lock(w, x, o.at))
			return;
		return w.is(STACK9_WAIT_CONDITION,
		    "nobody owns a condition variable");
	case lock_function::semaphore:
		if (find_language_lock(w, x))
			return;
		return w.is(STACK9_WAIT_SEMAPHORE, "nobody owns a semaphore");
	case lock_function::once:
		return w.is(STACK9_WAIT_ONCE,
		    "the thread that initializes is not recorded");
	case lock_function::barrier:
		return w.is(STACK9_WAIT_BARRIER,
		    "who has not arrived is not recorded");
	default:
		break;
	}
	if ((o.value & FUTEX_WAITERS) != 0 && (o.value & tid_mask) != 0)
		find_robust_mutex(w, x, o, false);
	else
		w.is(STACK9_WAIT_FUTEX, why_unknown(w));
}

} // namespace

void
find_futex(blocked &w, context &x)
{
	const auto op = static_cast<std::uint32_t>(w.arg(1));
	const operation o{static_cast<int>(op & FUTEX_CMD_MASK),
	    (op & FUTEX_PRIVATE_FLAG) == 0,
	    static_cast<std::uint32_t>(w.arg(2)), w.arg(0)};
	w.address = o.at;
	const bool realtime = (op & FUTEX_CLOCK_REALTIME) != 0 ||
	    o.command == FUTEX_LOCK_PI;
	if (w.arg(3) != 0)
		note_time(w, x, w.arg(3), realtime ? CLOCK_REALTIME :
		    CLOCK_MONOTONIC, o.command != FUTEX_WAIT);
	switch (o.command) {
	case FUTEX_LOCK_PI:
	case lock_pi2:
		return find_pi_mutex(w, x, o);
	case FUTEX_WAIT_REQUEUE_PI:
		return w.is(STACK9_WAIT_CONDITION,
		    "nobody owns a condition variable");
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return find_by_function(w, x, o);
	default:
		w.is(STACK9_WAIT_FUTEX, "an operation of futex(2) that is not "
		    "known here");
	}
}

void
add_owner(blocked &w, context &x, std::uint64_t at, std::uint32_t word,
    std::uint32_t tid, bool shared, int role)
{
	stack9_thread td{};
	if (const char *const why = x.people.find(w.pid(), tid, shared, at,
	    td)) {
		w.reason = why;
		return;
	}
	w.words.push_back(x.words.depend(w.pid(), at, word));
	w.add(td, role);
	w.flags |= STACK9_WAIT_ALL_HOLDERS;
}

} // namespace stack9::waits
