// A child that was forked by a process with threads: one of them may have held
// the loader's lock, which stays taken there for ever, and libunwind waits for
// it (with all signals blocked).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9::self {

// Whether this process is such a child, or a child of one.
bool forked_from_threads() noexcept;

} // namespace stack9::self
