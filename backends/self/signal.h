// Declares the signal that asks a running sibling for its stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9::self {

int chosen_signal() noexcept;

// True if nobody else has set a handler for it.
bool signal_is_free() noexcept;

// Installs our handler.  0; EBUSY: another handler is installed.
int install_handler() noexcept;

} // namespace stack9::self
