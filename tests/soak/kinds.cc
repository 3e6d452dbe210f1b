// Knows the words that the library has for the waits that were noted.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "kinds.h"

#include <algorithm>

#include <stack9_waits.h>

namespace soak {

std::vector<int>
kinds_of(const noted &w)
{
	switch (w.kind) {
	case thing::mutex:
	case thing::robust:
		return {STACK9_WAIT_MUTEX, STACK9_WAIT_FUTEX};
	case thing::inherits:
		return {STACK9_WAIT_PI_MUTEX, STACK9_WAIT_FUTEX};
	case thing::rw:
		return {w.reads ? STACK9_WAIT_RWLOCK_READ :
		    STACK9_WAIT_RWLOCK_WRITE, STACK9_WAIT_FUTEX};
	case thing::flocked:
		return {STACK9_WAIT_FLOCK};
	case thing::described:
	case thing::posix:
		return {STACK9_WAIT_FILE_LOCK};
	case thing::condition:
		return {STACK9_WAIT_CONDITION, STACK9_WAIT_FUTEX};
	case thing::semaphore:
		return {STACK9_WAIT_SEMAPHORE, STACK9_WAIT_FUTEX};
	case thing::barrier:
		return {STACK9_WAIT_BARRIER, STACK9_WAIT_FUTEX};
	case thing::word:
		return {STACK9_WAIT_FUTEX};
	case thing::event:
		return {STACK9_WAIT_DESCRIPTOR};
	case thing::piped:
		return {STACK9_WAIT_PIPE};
	case thing::paired:
		return {STACK9_WAIT_SOCKET};
	case thing::polled:
		return {STACK9_WAIT_POLL};
	case thing::join:
		return {STACK9_WAIT_JOIN, STACK9_WAIT_FUTEX};
	case thing::child:
		return {STACK9_WAIT_CHILD};
	case thing::sleep:
		return {STACK9_WAIT_SLEEP};
	}
	return {};
}

bool
is(const std::string &text, std::initializer_list<int> kinds)
{
	return std::any_of(kinds.begin(), kinds.end(), [&](int k) {
		return text == stack9_wait_text(k);
	});
}

// A thread may be on its way in or out of what it noted, and meet a page that
// is not there, a lock of its memory, or who stops it.
bool
is_on_the_way(const std::string &kind)
{
	return is(kind, {STACK9_WAIT_NONE, STACK9_WAIT_UNKNOWN,
	    STACK9_WAIT_FAULT, STACK9_WAIT_FILE_PAGE, STACK9_WAIT_SWAP,
	    STACK9_WAIT_TRACER, STACK9_WAIT_STOPPED,
	    STACK9_WAIT_KERNEL_MUTEX, STACK9_WAIT_KERNEL_READ,
	    STACK9_WAIT_KERNEL_WRITE, STACK9_WAIT_KERNEL_SEMAPHORE,
	    STACK9_WAIT_KERNEL_RT_MUTEX});
}

} // namespace soak
