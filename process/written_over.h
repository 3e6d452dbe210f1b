// Declares the question whether a file that is open was written over in its
// place.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "file.h"

namespace stack9::process {

// Returns true if what is read of it now is of another file than what was read
// when it was opened.  One of the same build-id is not another one.  This is
// asked after each reading that is kept, and it is noted for the user.
bool is_written_over(const file &) noexcept;

// Returns true if it is a program by now, and was none or another one when it
// was opened.  JITs write code into files of their own.  These are not programs
// and change at any time.
bool is_another_program(const file &) noexcept;

} // namespace stack9::process
