// Tells whether this process was forked by a process with threads.  One of them
// may have held the loader's lock at the fork.  The lock then stays taken in
// the child for ever, and libunwind would wait for it with all signals blocked.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9::self {

// True if this process is such a child, or a descendant of one.
bool forked_from_threads() noexcept;

} // namespace stack9::self
