// Finds which lock of the kernel a thread waits for, and its owner, both as the
// kernel has noted them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "context.h"

namespace stack9::waits {

void
find_kernel_lock(blocked &w, context &x)
{
	static constexpr int kinds[] = {STACK9_WAIT_UNKNOWN,
	    STACK9_WAIT_KERNEL_MUTEX, STACK9_WAIT_KERNEL_SEMAPHORE,
	    STACK9_WAIT_KERNEL_READ, STACK9_WAIT_KERNEL_WRITE,
	    STACK9_WAIT_KERNEL_RT_MUTEX};
	const wait_facts &f = *w.facts;
	w.is(kinds[static_cast<int>(f.lock)]);
	w.address = f.lock_at;
	if (f.lock == kernel_lock::semaphore) {
		w.reason = "nobody owns a semaphore";
	} else if (f.lock_readers) {
		w.flags |= STACK9_WAIT_BY_READERS;
		w.reason = "readers hold it, and the kernel does not record "
		    "them";
	} else if (f.lock_holder.tid == 0) {
		w.reason = "the kernel names no owner of it";
	} else if (!x.people.is_alive(f.lock_holder)) {
		w.reason = "its owner is dead";
	} else {
		w.add(f.lock_holder, STACK9_ROLE_OWNER);
		w.flags |= STACK9_WAIT_ALL_HOLDERS;
	}
}

} // namespace stack9::waits
