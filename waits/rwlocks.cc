// Finds the writer that has a read-write lock of glibc.  Its readers are not
// recorded.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "context.h"

namespace stack9::waits {
namespace {

// struct __pthread_rwlock_arch_t, and the bits of its words
// (pthread_rwlock_common.c).
struct glibc_rwlock {
	std::uint32_t	readers, writers, phase_futex, writers_futex, pad[2];
	std::uint32_t	writer, shared;
};
constexpr std::uint32_t write_phase = 1, is_used = 2, readers_wait = 4,
    reader = 8;

// The lock begins before the word that is waited for; 0: no such word.
std::uint64_t
begin_of_lock(const blocked &w, bool writes)
{
	const std::uint64_t at = w.arg(0);
	const auto value = static_cast<std::uint32_t>(w.arg(2));
	std::uint64_t begin = 0;
	if (writes)
		begin = value == (1 | is_used) ? at - 12 :
		    value == is_used ? at - 8 : 0;
	else
		begin = value == (1 | is_used) ? at - 8 :
		    (value & readers_wait) != 0 ? at : 0;
	return begin % 8 == 0 ? begin : 0;
}

} // namespace

void
find_rwlock(blocked &w, context &x, bool writes)
{
	constexpr int private_flag = 128;
	const bool shared = (w.arg(1) & private_flag) == 0;
	const std::uint64_t at = begin_of_lock(w, writes);
	glibc_rwlock lock{};
	if (at == 0 || !x.words.read(w.pid(), at, lock) ||
	    lock.shared != (shared ? 1 : 0))
		return w.is(STACK9_WAIT_FUTEX, "its memory does not look like "
		    "a read-write lock of glibc");
	w.address = at;
	w.is(writes ? STACK9_WAIT_RWLOCK_WRITE : STACK9_WAIT_RWLOCK_READ);
	if (lock.writer != 0) {
		add_owner(w, x, at + 24, lock.writer, lock.writer, shared,
		    STACK9_ROLE_OWNER);
	} else if (lock.readers >= reader &&
	    (lock.readers & write_phase) == 0) {
		w.flags |= STACK9_WAIT_BY_READERS;
		w.reason = "readers hold it, and the lock does not record "
		    "them";
	} else {
		w.is_handed_over();
	}
}

} // namespace stack9::waits
