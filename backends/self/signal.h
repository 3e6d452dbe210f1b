// Which signal asks a running sibling for its stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9::self {

int chosen_signal() noexcept;

// Whether it is ours to use: nobody else has set what it does.
bool signal_is_free() noexcept;

// The handler is in place: 0, or EBUSY: somebody else's is.
int install_handler() noexcept;

} // namespace stack9::self
