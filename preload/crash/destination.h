// Declares where reports go: what STACK9_CRASH says.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9::crash {

// Keeps what the variable says; NULL: it is not set.  False: no reports are
// wanted, or the path is too long.
bool read_destination(const char *text) noexcept;

// Opens it for the report of a crash: standard error, if it is that, or if what
// it is cannot be opened.  The latter is said there.  Async-signal-safe.
int open_destination() noexcept;

} // namespace stack9::crash
