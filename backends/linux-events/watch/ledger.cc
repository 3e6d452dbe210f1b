// Adds events by their stacks, joined with those of their wakers.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "ledger.h"

namespace stack9::events {

int
ledger::add(const s9_event_head &head, const std::string &identity)
{
	if (head.what == S9_WAKER || head.what == S9_WAKER_COPY) {
		wakers_.keep(head, identity);
		return 0;
	}
	const std::string &whole = from_.set().wakers ?
	    wakers_.join(head, identity) : identity;
	if (sink_.what == STACK9_WATCH_STREAM)
		return to_.event(head, whole);
	counts_.add(whole, {1, head.weight_ns});
	return 0;
}

} // namespace stack9::events
